/** Reads a JWT of a trusted issuer that a client exchanges for another token (RFC 8693 §3). */

import { OAuthError, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { VerifyForeignJwt } from "../../oauth/foreign/foreign_jwt.ts";
import type { ExchangeableReader, Services } from "../../oauth/contracts/feature.ts";
import type { ExchangeableToken, PresentedForExchange } from "../../oauth/contracts/exchangeable_token.ts";
import { idJagTyp } from "../../oauth/tokens/id_jag_claims.ts";
import { present } from "../../../ground/values/present.ts";
import { checkClaims, ownAudiences, readBinding } from "./check_claims.ts";
import { readForeignActor } from "./foreign_actor.ts";
import { issueFor } from "./issue_for_jwt.ts";
import { chooseScope } from "./jwt_grant_limits.ts";
import { findJwtPerson } from "./jwt_subject.ts";
import type { TrustedIssuer } from "./trust_settings.ts";
import { findIssuer, verifyTrustedJwt } from "./trusted_jwt.ts";

const refusal = refusals({
  id_jag_exchanged: {
    error: "invalid_request",
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.4",
    sentence: "An ID-JAG is no subject_token and no actor_token",
    expected: "a JWT of another type",
    change: "Send the ID-JAG as assertion, with the grant type urn:ietf:params:oauth:grant-type:jwt-bearer.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function createJwtReader(verify: VerifyForeignJwt): ExchangeableReader["read"] {
  return async (presented, services) => {
    const trusted = findIssuer(presented.text, services);
    if (trusted === undefined) return undefined;
    return await asInvalidRequest(() => readJwt(presented, trusted, verify, services));
  };
}

/** RFC 8693 §2.2.2: the code for an invalid token. */
async function asInvalidRequest<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError) || error.error !== "invalid_grant") throw error;
    throw new OAuthError("invalid_request", error.message, error.details);
  }
}

async function readJwt(
  { param, text, client, exchange }: PresentedForExchange,
  trusted: TrustedIssuer,
  verify: VerifyForeignJwt,
  services: Services,
): Promise<ExchangeableToken> {
  const jwt = await verifyTrustedJwt(text, trusted, verify, exchange, services);
  const { claims, entry, issuer } = jwt;
  if (entry.isIdJag) throw refusal("id_jag_exchanged", { received: `typ ${idJagTyp}` });
  checkClaims(jwt, exchange, services);
  const person = await findJwtPerson(jwt, client, services);
  const scope = chooseScope(undefined, { entry, claims, client, hasPerson: person !== undefined }, services);
  // An actor only acts, so its JWT is not used up.
  const isOnce = entry.isOnce && param === "subject_token";
  const issuedFor = await issueFor({ jwt, person, client, scope, resource: [], isOnce }, services);
  const { useUp } = issuedFor;
  const own = ownAudiences(exchange, services);
  return {
    origin: issuer,
    scope,
    // A JWT for this server is for no client that could take the place of its holder.
    audience: [claims["aud"]].flat().filter((each): each is string =>
      typeof each === "string" && !own.includes(each)
    ),
    expiresAt: claims["exp"] as number,
    claims: { ...claims, ...readForeignActor(claims) },
    issuedFor: {
      ...issuedFor,
      ...present({ useUp: useUp && (() => asInvalidRequest(useUp)) }),
    },
    ...present({ confirmation: readBinding(claims) }),
  };
}
