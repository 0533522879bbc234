/** What the last token response of a grant gave. An ID token is exchanged for no more (RFC 8693 §5). */

import { present } from "../../values/present.ts";
import type { TokenIssue } from "../feature.ts";
import type { Grant, LastResponse } from "./grant.ts";

/** Describes a token response for the record of its grant. */
export function describeResponse(
  { redemption: { grant, scope, resource, claims }, sender: { confirmation } }: TokenIssue,
): LastResponse {
  return present({
    scope: isSame(scope, grant.scope) ? undefined : scope,
    resource: isSame(resource, grant.resource) ? undefined : resource,
    claims,
    confirmation,
  });
}

/** Whether the record of the grant has this response already. */
export function isRecorded(response: LastResponse | undefined, { lastResponse }: Grant): boolean {
  return isSame(response, lastResponse);
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Returns what the last token response gave. Of the response in a record of an earlier version, an ID token proves the
 * scope openid only.
 */
export function readLastResponse(
  { lastResponse, scope, resource, refresh, code }: Grant,
): LastResponse & Required<Pick<LastResponse, "scope" | "resource">> {
  if (lastResponse !== undefined) return { scope, resource, ...lastResponse };
  return {
    scope: ["openid"],
    resource: [],
    ...present({ confirmation: refresh?.binding ?? code?.confirmation }),
  };
}
