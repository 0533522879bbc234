/** Shows what an ID token says, because the fault may be in its header or its claims. */

import { parseJwt } from "../../../server/crypto/jwt_parts.ts";
import { hidden } from "../../../server/oauth/redaction.ts";
import type { JsonObject } from "../../../server/schema/json_object.ts";

// Any other member may hold a secret, data about a person, or a value that differs between two equal runs.
const shownHeader: ReadonlySet<string> = new Set(["alg", "typ", "kid", "crit"]);
const shownClaims: ReadonlySet<string> = new Set([
  ...["iss", "sub", "aud", "azp", "exp", "iat", "nbf", "auth_time", "acr", "amr", "token_type"],
]);

/** Returns the header and the claims without the signature, or `undefined` if the text is no signed or unsigned JWT. */
export function showIdToken(text: string): JsonObject | undefined {
  const parts = parseJwt(text);
  return parts && {
    header: hideOthers(parts.header, shownHeader),
    claims: hideOthers(parts.claims, shownClaims),
    signature: parts.signature && hidden,
  };
}

function hideOthers(members: JsonObject, shown: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, shown.has(name) ? value : hidden]),
  );
}
