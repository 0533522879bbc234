/** Names the kind of a JWT: a token, a request, an assertion, a proof. */

import type { JwtParts } from "../../../ground/crypto/jwt_parts.ts";
import { hasAccessTokenClaims } from "../../../server/oauth/tokens/access_token_claims.ts";
import type { PastedKind } from "./playground_reader.tsx";

const kindsByType: ReadonlyMap<string, PastedKind> = new Map([
  ["at+jwt", "access_token"],
  ["dpop+jwt", "dpop_proof"],
  ["logout+jwt", "logout_token"],
  ["oauth-authz-req+jwt", "request_object"],
  ["client-authentication+jwt", "client_assertion"],
  // It has a client_id, as an access token.
  ["oauth-id-jag+jwt", "jwt"],
]);

/** Many JWTs have no typ of their own, so their claims decide. */
/** `issuer`: the server that the client talks to. */
export function nameKind({ header, claims }: JwtParts, issuer: string | undefined): PastedKind {
  const typ = typeof header["typ"] === "string"
    ? header["typ"].toLowerCase().replace(/^application\//, "")
    : "";
  const named = kindsByType.get(typ);
  if (named !== undefined) return named;
  const { iss, sub, aud, events, exp } = claims;
  if (events !== undefined) return "logout_token";
  if (claims["response_type"] !== undefined || claims["redirect_uri"] !== undefined) return "request_object";
  if (iss !== undefined && iss === sub && iss !== issuer) return "client_assertion";
  if (hasAccessTokenClaims(claims)) return "access_token";
  // JARM §2.1.
  const isResponse = typeof claims["code"] === "string" || typeof claims["error"] === "string";
  if (isResponse && aud !== undefined) return "authorization_response";
  return typeof sub === "string" && aud !== undefined && exp !== undefined ? "id_token" : "jwt";
}
