/** Checks the audience, the times and the key of a JWT authorization grant (RFC 7523 §3, RFC 10070 §4). */

import {
  findAudienceProblem,
  findTimeProblem,
} from "../../oauth/clients/authentication/client_jwt_claims.ts";
import { clockSkew } from "../../oauth/options/clock_skew.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { findUrl } from "../../oauth/requests/server_urls.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { describeConfirmation, describeProof, provesKey } from "../../oauth/tokens/prove_sender.ts";
import type { Confirmation, Sender } from "../../oauth/contracts/sender.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { requireFitClaims } from "./copied_claims.ts";
import { requireForeignActor } from "./foreign_actor.ts";
import type { TrustedJwt } from "./trusted_jwt.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  jwt_grant_audience: {
    spec: "RFC 7523 §3, RFC 10070 §4",
    sentence: "The JWT is for another server",
    expected: "aud with one value: the issuer of this server, or the URL of its token endpoint",
    change:
      "Ask the issuer for a JWT whose aud is the issuer of this server, or add the value to audiences of trust.",
  },
  id_jag_audience: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.4.1",
    sentence: "The ID-JAG is for another server",
    expected: "aud with the issuer of this server, and no other value",
    change:
      "Send the issuer of this server as audience of the token exchange, exactly as its metadata has it.",
  },
  jwt_grant_expired: {
    spec: "RFC 7523 §3",
    sentence: "The JWT {state}",
    expected: "an exp in the future, and no nbf and no iat in the future",
    change: "Get a new JWT from the issuer, and compare the clocks of issuer and server.",
  },
  jwt_grant_too_long: {
    spec: "RFC 7523 §3",
    sentence: "The JWT is valid for too long",
    expected: "an exp at most 24 hours after now",
    change: "Let the issuer set exp at most 24 hours after now.",
  },
  jwt_grant_details: {
    spec: "RFC 9396 §9.1",
    sentence: "This server cannot enforce the authorization_details of the JWT",
    expected: "a JWT without authorization_details",
    change: "Ask the issuer for scopes and not for authorization_details.",
  },
  jwt_grant_binding: {
    spec: "RFC 7800 §3.1",
    sentence: "This server cannot check the cnf of the JWT",
    expected: "cnf with one member: {known}",
    change: "Let the issuer bind the JWT to one key by a method of this server, or to none.",
  },
  jwt_grant_key_unproven: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §8.6",
    sentence: "The request does not prove the key that the JWT is bound to",
    expected: "{key}",
    change: "Add a DPoP proof by the key of the token exchange that returned the JWT.",
  },
  jwt_grant_key_differs: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §8.6",
    sentence: "The request proves another key than the one that the JWT is bound to",
    expected: "{key}",
    change: "Sign the proof with the key to which the JWT is bound.",
  },
});

export const refused: RefusalRows = refusal.rows;

// In seconds. Platforms give workloads tokens for up to a day.
const longestLifetime = 24 * 3600;

export function checkClaims(jwt: TrustedJwt, exchange: Exchange, services: Services): void {
  const { claims } = jwt;
  requireAudience(jwt, exchange, services);
  requireForeignActor(claims, services);
  requireFitClaims(jwt);
  const time = findTimeProblem(claims, services);
  if (time !== undefined) throw refusal("jwt_grant_expired", time);
  if (claims["exp"] as number > services.now() + longestLifetime + clockSkew) {
    throw refusal("jwt_grant_too_long", { received: `exp ${claims["exp"]}` });
  }
  requireSupportedClaims(claims, services);
}

/** Accepts a JWT with one audience only, because a JWT for several servers could be stolen from another one. */
function requireAudience({ claims, entry }: TrustedJwt, exchange: Exchange, services: Services): void {
  if (entry.isIdJag) {
    const problem = findAudienceProblem(claims, [services.settings.issuer]);
    if (problem !== undefined) throw refusal("id_jag_audience", problem);
    return;
  }
  const problem = findAudienceProblem(claims, entry.audiences ?? ownAudiences(exchange, services));
  if (problem !== undefined) throw refusal("jwt_grant_audience", problem);
}

export function ownAudiences(exchange: Exchange, { settings }: Services): readonly string[] {
  const { issuer, baseUrl, paths } = settings;
  return [...new Set([issuer, baseUrl + paths.token, findUrl(exchange, settings)])];
}

/** Refuses limits that the server cannot keep: a token without them would allow more than the issuer has. */
function requireSupportedClaims(
  { authorization_details: details, cnf }: Claims,
  { slots: { senderProofs } }: Services,
): void {
  if (details !== undefined) throw refusal("jwt_grant_details", { received: "authorization_details" });
  if (cnf === undefined) return;
  const members = isJsonObject(cnf) ? Object.entries(cnf) : [];
  const [member, second] = members;
  if (
    member !== undefined && second === undefined && typeof member[1] === "string" &&
    senderProofs.has(member[0])
  ) return;
  throw refusal("jwt_grant_binding", {
    known: [...senderProofs.keys()].join(" or ") || "none, because this server knows no proofs",
    received: members.map(([name]) => name).join(", ") || "no member",
  });
}

/** Returns the key that the JWT is bound to. Its `cnf` has one known member. */
export function readBinding({ cnf }: Claims): Confirmation | undefined {
  if (cnf === undefined) return undefined;
  const [[method, thumbprint]] = Object.entries(cnf as Record<string, string>) as [[string, string]];
  return { method, thumbprint };
}

/** Accepts a bound JWT only from the holder of its key (ID-JAG §8.6). */
export function requireProvenKey(claims: Claims, sender: Sender): void {
  const bound = readBinding(claims);
  if (bound === undefined || provesKey(sender, bound)) return;
  throw refusal(sender.confirmation === undefined ? "jwt_grant_key_unproven" : "jwt_grant_key_differs", {
    key: describeConfirmation(bound),
    received: describeProof(sender),
  });
}
