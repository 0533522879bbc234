/** Exchanges a JWT of a trusted issuer for an access token (RFC 7523 §2.1). */

import type { AuthenticatedClient } from "../../oauth/contracts/authenticated_client.ts";
import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import { noteAccess } from "../../oauth/clients/metadata/scope.ts";
import type { GrantType } from "../../oauth/contracts/feature.ts";
import type { VerifyForeignJwt } from "../../oauth/foreign/foreign_jwt.ts";
import { requireParam } from "../../oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { present } from "../../../ground/values/present.ts";
import { checkClaims, requireProvenKey } from "./check_claims.ts";
import { readForeignActor } from "./foreign_actor.ts";
import { issueFor } from "./issue_for_jwt.ts";
import { chooseResource, chooseScope } from "./jwt_grant_limits.ts";
import { findJwtPerson } from "./jwt_subject.ts";
import { planNewPerson } from "./new_person.ts";
import type { TrustEntry } from "./trust_settings.ts";
import { findIssuer, refuseIssuer, verifyTrustedJwt } from "./trusted_jwt.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { describeValue } from "../../../ground/schema/received.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  jwt_grant_public_client: {
    error: "unauthorized_client",
    spec: "RFC 7523 §3.1, draft-ietf-oauth-identity-assertion-authz-grant §8.1",
    sentence: "A client without credentials may not use JWTs of this issuer",
    expected: "a client that authenticates",
    change: "Give the client a secret or a key, or set publicClients to true in the entry of trust.",
  },
  id_jag_claim_missing: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §3",
    sentence: "The ID-JAG has no {claim}",
    expected: "jti, iat and client_id",
    change: "Let the identity provider add the claim to its ID-JAGs.",
  },
  id_jag_client: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.4.1",
    sentence: "The ID-JAG is for another client",
    expected: "client_id {id}",
    change: "Configure at the identity provider which client_id the client has at this server.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function createJwtRedemption(verify: VerifyForeignJwt): GrantType["redeem"] {
  return async ({ exchange, form, client: authenticated, sender }, services) => {
    const { client } = authenticated;
    const text = requireParam(form, "assertion");
    const trusted = findIssuer(text, services) ?? refuseIssuer(text, services);
    // A client that no entry accepts must not make the server fetch the keys.
    requireCredentials(authenticated, trusted.entries);
    const jwt = await verifyTrustedJwt(text, trusted, verify, exchange, services);
    const { claims, entry, issuer } = jwt;
    exchange.note({ more: { jwt_bearer: { issuer, idJag: entry.isIdJag } } });
    requireCredentials(authenticated, [entry]);
    checkClaims(jwt, exchange, services);
    if (entry.isIdJag) requireIdJagClaims(claims, client);
    requireProvenKey(claims, sender);
    const person = await findJwtPerson(
      jwt,
      client,
      services,
      (value, terms) => planNewPerson(jwt, { value, terms }, exchange, services),
    );
    const limits = { entry, claims, client, hasPerson: person !== undefined };
    const scope = chooseScope(form.get("scope"), limits, services);
    const resource = chooseResource(form.all("resource"), limits, services);
    exchange.note({ subject: person?.subject ?? jwt.subject });
    noteAccess({ scope, resource }, exchange, services);
    // The last check is whether the JWT was used before. Only a request that gets tokens uses it up.
    const { isOnce } = entry;
    const issuedFor = await issueFor({ jwt, person, client, scope, resource, isOnce }, services);
    exchange.note(present({ flow: issuedFor.grantId }));
    return {
      ...issuedFor,
      scope,
      resource,
      // ID-JAG §4.4.3: no refresh token.
      accessTokenOnly: true,
      // RFC 8693 §4.1: without the actor of the JWT, the token would say that the subject itself acts.
      claims: readForeignActor(claims),
    };
  };
}

function requireCredentials({ method, client }: AuthenticatedClient, entries: readonly TrustEntry[]): void {
  if (method !== publicClientMethod || entries.some((entry) => entry.acceptsPublicClients)) return;
  throw refusal("jwt_grant_public_client", { received: client.id });
}

/** Checks what an ID-JAG has besides other JWTs: an id, and the client that may use it (ID-JAG §3, §4.4.1). */
function requireIdJagClaims(claims: Claims, { id }: Client): void {
  const { jti, iat, client_id: clientId } = claims;
  const texts = Object.entries({ jti, client_id: clientId });
  const missing = texts.find(([, value]) => typeof value !== "string" || value === "")?.[0] ??
    (iat === undefined ? "iat" : undefined);
  if (missing !== undefined) throw refusal("id_jag_claim_missing", { claim: missing });
  if (clientId !== id) {
    throw refusal("id_jag_client", { id, received: `client_id ${describeValue(clientId, 100)}` });
  }
}
