/** The resources at which a client wants access (RFC 9396 §2.2). */

import type { AuthorizationDetail } from "./detail.ts";

export function locationsOf(details: readonly AuthorizationDetail[]): readonly string[] {
  return details.flatMap(({ locations }) => locations as readonly string[] | undefined ?? []);
}
