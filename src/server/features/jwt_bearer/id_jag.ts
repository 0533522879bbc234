/** Checks what an ID-JAG has besides other JWTs: an id, and the client that may use it (ID-JAG §3, §4.4.1). */

import type { Client } from "../../oauth/clients/client.ts";
import type { Claims } from "../../oauth/members.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import { describeValue } from "../../schema/received.ts";

const refusal = refusals({
  id_jag_claim_missing: {
    error: "invalid_grant",
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §3",
    sentence: "The ID-JAG has no {claim}",
    expected: "jti, iat and client_id",
    change: "Let the identity provider add the claim to its ID-JAGs.",
  },
  id_jag_client: {
    error: "invalid_grant",
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.4.1",
    sentence: "The ID-JAG is for another client",
    expected: "client_id {id}",
    change: "Configure at the identity provider which client_id the client has at this server.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function requireIdJagClaims(claims: Claims, { id }: Client): void {
  const { jti, iat, client_id: clientId } = claims;
  const texts = Object.entries({ jti, client_id: clientId });
  const missing = texts.find(([, value]) => typeof value !== "string" || value === "")?.[0] ??
    (iat === undefined ? "iat" : undefined);
  if (missing !== undefined) throw refusal("id_jag_claim_missing", { claim: missing });
  if (clientId !== id) {
    throw refusal("id_jag_client", { id, received: `client_id ${describeValue(clientId, 100)}` });
  }
}
