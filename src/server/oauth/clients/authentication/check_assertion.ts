/** Checks an assertion that authenticates a client (RFC 7521 §4.2, RFC 7523 §3, RFC 10070). */

import { describeText } from "../../../../ground/schema/received.ts";
import { sha256 } from "../../../../ground/crypto/platform.ts";
import { readUnverifiedHeader, type VerifiedJwt } from "../../../../ground/crypto/jwt.ts";
import type { Kind } from "../../../store/store.ts";
import { clockSkew, markMargin } from "../../options/clock_skew.ts";
import { type OAuthError, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { Claims } from "../../../../ground/values/members.ts";
import { findUrl } from "../../requests/server_urls.ts";
import type { Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import {
  assertionAlgorithmMember,
  assertionAudienceMember,
  type AssertionKeys,
  assertionType,
} from "./client_assertion.ts";
import { findAudienceProblem, findLifetimeProblem, findTimeProblem } from "./client_jwt_claims.ts";
import { memberOf } from "../../contracts/feature_values.ts";

const refusal = refusals({ error: "invalid_client", spec: "RFC 7523 §3" }, {
  assertion_signature: {
    sentence: "The client_assertion is not signed with a key of this client",
    expected: "a signature with a registered key of the client",
    change: "Sign with a private key whose public half is among the registered keys of the client.",
  },
  assertion_type_unsupported: {
    spec: "RFC 7523 §2.2",
    sentence: "This client_assertion_type is not supported",
    expected: assertionType,
    change: "Set client_assertion_type to urn:ietf:params:oauth:client-assertion-type:jwt-bearer.",
  },
  assertion_algorithm: {
    spec: "OpenID Connect Dynamic Client Registration §2",
    sentence: "The client has registered another algorithm for its client_assertion",
    expected: "the client's token_endpoint_auth_signing_alg",
    change: "Sign the client_assertion with the registered token_endpoint_auth_signing_alg.",
  },
  assertion_type_foreign: {
    spec: "RFC 10070 §4",
    sentence: "The client_assertion is a JWT for another purpose",
    expected: "typ client-authentication+jwt, JWT, or none",
    change: "Set typ of the header to client-authentication+jwt, or leave it out.",
  },
  assertion_for_authorization: {
    spec: "RFC 9101 §10.8",
    sentence: "The client_assertion is an authorization request",
    expected: "a JWT without the parameters of an authorization request",
    change: "Sign a client_assertion of its own, without the parameters of the authorization request.",
  },
  assertion_issuer: {
    sentence: "The iss of a client_assertion must be the client itself",
    expected: "the client_id",
    change: "Set iss of the client_assertion to the client_id.",
  },
  assertion_subject: {
    sentence: "The sub of a client_assertion must be the client itself",
    expected: "the client_id",
    change: "Set sub of the client_assertion to the client_id.",
  },
  assertion_audience: {
    spec: "RFC 10070 §4",
    sentence: "The aud of a client_assertion must be this issuer only",
    expected: 'the issuer. With client_assertion_audience: "endpoint", also the address of the endpoint',
    change: "Set aud of the client_assertion to the issuer.",
  },
  assertion_expired: {
    sentence: "The client_assertion {state}",
    expected: "an exp in the future, and no nbf and no iat in the future",
    change: "Create a new client_assertion for each request, and compare the clocks of client and server.",
  },
  assertion_too_long: {
    sentence: "The client_assertion is valid for too long",
    expected: "an exp at most an hour after now",
    change: "Set exp at most an hour after now.",
  },
  assertion_without_jti: {
    spec: "OpenID Connect Core §9",
    sentence: "The client_assertion has no jti",
    change: "Add a jti to the client_assertion, with a new value each time.",
  },
  assertion_replayed: {
    spec: "OpenID Connect Core §9",
    sentence: "The client_assertion was used before",
    expected: "a new jti for each request",
    change: "Create a new client_assertion with a new jti for each request.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function checkAssertion(
  { assertion, type }: { readonly assertion: string; readonly type: string | undefined },
  client: Client,
  { expect, verify }: AssertionKeys,
  exchange: Exchange,
  services: Services,
): Promise<OAuthError | undefined> {
  const wrongHeader = checkAssertionType(type) ?? checkAlgorithm(assertion, client);
  if (wrongHeader !== undefined) return wrongHeader;
  const jwt = await verify(assertion, client, exchange, services);
  if (jwt === undefined) {
    return refusal("assertion_signature", { expected: expect(client), received: describeHeader(assertion) });
  }
  const { claims } = jwt;
  return checkJwtType(jwt) ?? checkPurpose(claims) ?? checkClient(claims, client, services) ??
    checkAudience(claims, client, exchange, services) ?? checkTimes(claims, services) ??
    await checkReplay(claims, client, services);
}

function checkAssertionType(type: string | undefined): OAuthError | undefined {
  if (type === assertionType) return undefined;
  return refusal("assertion_type_unsupported", { received: type ?? "no client_assertion_type" });
}

function checkAlgorithm(assertion: string, client: Client): OAuthError | undefined {
  const algorithm = memberOf(client, assertionAlgorithmMember);
  const alg = readUnverifiedHeader(assertion)?.alg;
  if (algorithm === undefined || alg === undefined || alg === algorithm) return undefined;
  return refusal("assertion_algorithm", {
    expected: `${algorithm}, the client's token_endpoint_auth_signing_alg`,
    received: describeHeader(assertion),
  });
}

function describeHeader(assertion: string): string {
  const header = readUnverifiedHeader(assertion);
  return header === undefined
    ? "text that is not a JWT"
    : `kid ${header.kid ?? "left out"} with ${header.alg}`;
}

/** RFC 8725 §3.12: a JWT for another purpose, signed with the same key, is not accepted. */
function checkJwtType({ typ }: VerifiedJwt): OAuthError | undefined {
  if (typ === undefined || /^(application\/)?(jwt|client-authentication\+jwt)$/i.test(typ)) return undefined;
  return refusal("assertion_type_foreign", { received: typ });
}

/** RFC 9101 §10.8: a request object may have no typ. Its parameters show what it is. */
function checkPurpose(claims: Claims): OAuthError | undefined {
  const requested = ["response_type", "redirect_uri", "code_challenge"]
    .filter((name) => Object.hasOwn(claims, name));
  if (requested.length === 0) return undefined;
  return refusal("assertion_for_authorization", { received: requested.join(", ") });
}

function checkClient(
  { iss, sub }: Claims,
  client: Client,
  { settings: { assertions } }: Services,
): OAuthError | undefined {
  const { pattern, words = client.id } = assertions?.issuer ?? {};
  const isIssuer = pattern === undefined ? iss === client.id : typeof iss === "string" && pattern.test(iss);
  if (!isIssuer) return refusal("assertion_issuer", { expected: words, received: describeText(iss) });
  if (sub === client.id) return undefined;
  return refusal("assertion_subject", {
    expected: client.id,
    received: typeof sub === "string" ? sub : "no sub, or a sub that is not text",
  });
}

/**
 * Requires the issuer as the only audience, because an assertion with another audience may be meant for another server
 * (RFC 10070 §4). The client member `client_assertion_audience` changes that: with `endpoint`, the audience may also be
 * the URL of the endpoint, below the name that the request uses (RFC 7523 §3). With `issuer_string`, it must be text and
 * not a list of one (FAPI 2.0 Security Profile §5.3.2.1-8). Another name of the server is never an audience.
 */
function checkAudience(
  claims: Claims,
  client: Client,
  exchange: Exchange,
  { settings }: Services,
): OAuthError | undefined {
  const audience = memberOf(client, assertionAudienceMember);
  const accepted = audience === "endpoint" || settings.assertions?.takesEndpoint
    ? [settings.issuer, findUrl(exchange, settings)]
    : [settings.issuer];
  const isString = audience === "issuer_string";
  const problem = findAudienceProblem(claims, accepted, isString ? "string" : "only");
  return problem && refusal("assertion_audience", problem);
}

function checkTimes(claims: Claims, services: Services): OAuthError | undefined {
  const problem = findTimeProblem(claims, services);
  if (problem !== undefined) return refusal("assertion_expired", problem);
  const lifetimeProblem = findLifetimeProblem(
    claims,
    services,
    services.settings.assertions?.longestLifetime,
  );
  return lifetimeProblem && refusal("assertion_too_long", lifetimeProblem);
}

const usedAssertions: Kind<{ readonly usedAt: number }> = { name: "once" };

/**
 * Every endpoint and every process with this store accepts an assertion only once (OpenID Connect Core §9), unless the
 * settings say otherwise.
 */
async function checkReplay(
  { jti, exp }: Claims,
  client: Client,
  { store, now, settings }: Services,
): Promise<OAuthError | undefined> {
  const rule = settings.assertions?.jti;
  if (rule === "ignored" || rule === "optional" && jti === undefined) return undefined;
  if (typeof jti !== "string" || jti === "") return refusal("assertion_without_jti");
  const id = sha256(JSON.stringify(["client_assertion", client.id, jti]));
  const expiresAt = Math.ceil(exp as number) + clockSkew + markMargin;
  const terms = { expiresAt, now: now(), if: null };
  if (await store.put(usedAssertions, id, { usedAt: now() }, terms) !== undefined) return undefined;
  return refusal("assertion_replayed");
}
