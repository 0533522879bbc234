/** Exchanges a JWT of a trusted issuer for an access token (RFC 7523 §2.1). */

import { isNumericDate } from "../../crypto/jwt.ts";
import type { AuthenticatedClient } from "../../oauth/clients/authenticated_client.ts";
import { publicClientMethod } from "../../oauth/clients/client.ts";
import { createId } from "../../oauth/credential.ts";
import type { GrantType } from "../../oauth/feature.ts";
import { createForeignJwtVerifier } from "../../oauth/foreign_jwt.ts";
import type { Claims } from "../../oauth/members.ts";
import { requireParam } from "../../oauth/params.ts";
import type { Person } from "../../oauth/people/people.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Services } from "../../oauth/services.ts";
import type { Grant } from "../../oauth/tokens/grant.ts";
import type { Redemption } from "../../oauth/tokens/redemption.ts";
import { present } from "../../present.ts";
import { isJsonObject } from "../../schema/json_object.ts";
import { checkClaims, requireProvenKey, requireSupportedClaims } from "./check_claims.ts";
import { requireIdJagClaims } from "./id_jag.ts";
import { chooseResource, chooseScope, type GrantLimits } from "./jwt_grant_limits.ts";
import { findTrustedJwt, type TrustedJwt } from "./trusted_jwt.ts";
import { findJwtPerson, requireWorkloadSubject } from "./jwt_subject.ts";
import type { TrustEntry } from "./trust_settings.ts";
import { recordUse, requireUnused } from "./used_jwts.ts";

const refusal = refusals({
  jwt_grant_public_client: {
    error: "unauthorized_client",
    spec: "RFC 7523 §3.1, ID-JAG §8.1",
    sentence: "A client without credentials may not use JWTs of this issuer",
    expected: "a client that authenticates",
    change: "Give the client a secret or a key, or set publicClients to true in the entry of trust.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Each redemption caches the keys of the issuers. */
export function createJwtRedemption(): GrantType["redeem"] {
  const verify = createForeignJwtVerifier();
  return async ({ exchange, form, client, sender }, services) => {
    const text = requireParam(form, "assertion");
    const jwt = await findTrustedJwt(text, verify, exchange, services);
    const { claims, entry, issuer } = jwt;
    exchange.note({ more: { jwt_bearer: { issuer, idJag: entry.isIdJag } } });
    requireCredentials(client, entry);
    checkClaims(jwt, exchange, services);
    requireSupportedClaims(claims, services);
    if (entry.isIdJag) requireIdJagClaims(claims, client.client);
    requireProvenKey(claims, sender);
    const person = entry.person && findJwtPerson(claims, entry.person, services);
    if (person === undefined) await requireWorkloadSubject(jwt, client.client, services);
    const limits = { entry, claims, client: client.client, hasPerson: person !== undefined };
    const granted = {
      scope: chooseScope(form.get("scope"), limits, services),
      resource: chooseResource(form.all("resource"), limits, services),
    };
    exchange.note({ subject: person?.subject ?? jwt.subject, ...granted });
    const redemption = person === undefined
      ? await redeemForWorkload(jwt, granted, limits, services)
      : await redeemForPerson(person, jwt, granted, limits, services);
    exchange.note(present({ flow: redemption.grantId }));
    return redemption;
  };
}

function requireCredentials({ method, client }: AuthenticatedClient, entry: TrustEntry): void {
  if (method !== publicClientMethod || entry.acceptsPublicClients) return;
  throw refusal("jwt_grant_public_client", { received: client.id });
}

type Granted = Pick<Redemption, "scope" | "resource">;

/** The grant has no session, so a sign-out does not end it. ID-JAG §4.4.3: no refresh token. */
async function redeemForPerson(
  person: Person,
  jwt: TrustedJwt,
  granted: Granted,
  limits: GrantLimits,
  services: Services,
): Promise<Redemption> {
  const { entry, claims } = jwt;
  const { random, personSecrets, now } = services;
  const { id: grantId, expiresAt: keepUntil } = entry.isOnce
    ? await requireUnused(jwt, services)
    : { id: createId(random), expiresAt: 0 };
  const passwordMark = await personSecrets.passwordMark(person);
  return {
    grantId,
    grant: {
      ...describeGrant(person.subject, granted, limits),
      ...present({
        passwordMark,
        authTime: isNumericDate(claims["auth_time"]) ? claims["auth_time"] : undefined,
      }),
      redeemedAt: now(),
    },
    replaces: null,
    keepUntil,
    accessTokenOnly: true,
    ...granted,
    ...present({ claims: describeActor(claims) }),
  };
}

/** No grant is stored: the token is valid while its client exists, as with client credentials. */
async function redeemForWorkload(
  jwt: TrustedJwt,
  granted: Granted,
  limits: GrantLimits,
  services: Services,
): Promise<Redemption> {
  const { subject, entry } = jwt;
  // The last check, so that a refused request does not use up the JWT.
  if (entry.isOnce) await recordUse(jwt, services);
  return {
    grant: describeGrant(subject, granted, limits),
    replaces: "unstored",
    keepUntil: 0,
    // RFC 7523 §3: the principal is the workload, and the client only presents its JWT.
    subject,
    accessTokenOnly: true,
    ...granted,
    ...present({ claims: describeActor(limits.claims) }),
  };
}

function describeGrant(subject: string, granted: Granted, { client, claims }: GrantLimits): Grant {
  const { amr } = claims;
  return {
    status: "active",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject,
    ...granted,
    amr: Array.isArray(amr) ? amr.filter((each) => typeof each === "string") : [],
    carried: {},
  };
}

/** RFC 8693 §4.1: without the actor of the JWT, the token would say that the subject itself acts. */
function describeActor({ act }: Claims): Claims | undefined {
  return isJsonObject(act) ? { act } : undefined;
}
