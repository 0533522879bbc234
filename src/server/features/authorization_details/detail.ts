/** The objects of authorization_details (RFC 9396 §2). */

import type { ValueKey } from "../../oauth/contracts/feature_values.ts";

/** What a client wants to do. Its type decides about the other members. */
export interface AuthorizationDetail {
  /** One of `authorizationDetails` of the configuration. */
  readonly type: string;
  /** A member of the type's schema. */
  readonly [member: string]: unknown;
}

/** The details of a request, and later those that the person granted. */
export const detailsKey: ValueKey<readonly AuthorizationDetail[]> = { name: "authorization_details" };

/** The resources at which a client wants access (RFC 9396 §2.2). */
export function locationsOf(details: readonly AuthorizationDetail[]): readonly string[] {
  return details.flatMap(({ locations }) => locations as readonly string[] | undefined ?? []);
}
