/** Checks an assertion that authenticates a client (RFC 7521 §4.2, RFC 7523 §3, RFC 10070). */

import { sha256 } from "../../crypto/bytes.ts";
import { readUnverifiedHeader, type VerifiedJwt } from "../../crypto/jwt.ts";
import type { Kind } from "../../store/store.ts";
import { clockSkew, markMargin } from "../clock_skew.ts";
import { OAuthError, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Claims } from "../members.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import {
  assertionAlgorithmMember,
  assertionAudienceMember,
  type AssertionKeys,
  assertionType,
} from "./client_assertion.ts";
import { findAudienceProblem, findLifetimeProblem, findTimeProblem } from "./client_jwt_claims.ts";
import { memberOf } from "./client_member.ts";

export type AssertionReason =
  | "assertion_type_unsupported"
  | "assertion_algorithm"
  | "assertion_signature"
  | "assertion_type_foreign"
  | "assertion_for_authorization"
  | "assertion_issuer"
  | "assertion_subject"
  | "assertion_audience"
  | "assertion_expired"
  | "assertion_too_long"
  | "assertion_without_jti"
  | "assertion_replayed";

/** The parameters `client_assertion` and `client_assertion_type` of the request. */
interface PresentedAssertion {
  readonly assertion: string;
  readonly type: string | undefined;
}

/** Returns the refusal of an assertion that does not prove the client. */
export async function checkAssertion(
  { assertion, type }: PresentedAssertion,
  client: Client,
  { expect, verify }: AssertionKeys,
  exchange: Exchange,
  services: Services,
): Promise<OAuthError | undefined> {
  const unfit = checkAssertionType(type) ?? checkAlgorithm(assertion, client);
  if (unfit !== undefined) return unfit;
  const jwt = await verify(assertion, client, exchange, services);
  if (jwt === undefined) {
    return refuse("The client_assertion is not signed with a key of this client", {
      reason: "assertion_signature",
      spec: "RFC 7523 §3",
      expected: expect(client),
      received: describeHeader(assertion),
    });
  }
  const { claims } = jwt;
  return checkJwtType(jwt) ?? checkPurpose(claims) ?? checkClient(claims, client) ??
    checkAudience(claims, client, exchange, services) ?? checkTimes(claims, services) ??
    await checkReplay(claims, client, services);
}

function checkAssertionType(type: string | undefined): OAuthError | undefined {
  if (type === assertionType) return undefined;
  return refuse("This client_assertion_type is not supported", {
    reason: "assertion_type_unsupported",
    spec: "RFC 7523 §2.2",
    expected: assertionType,
    received: type ?? "no client_assertion_type",
  });
}

/** Returns a refusal if the client has registered another algorithm. */
function checkAlgorithm(assertion: string, client: Client): OAuthError | undefined {
  const algorithm = memberOf(client, assertionAlgorithmMember);
  const alg = readUnverifiedHeader(assertion)?.alg;
  if (algorithm === undefined || alg === undefined || alg === algorithm) return undefined;
  return refuse("The client has registered another algorithm for its client_assertion", {
    reason: "assertion_algorithm",
    spec: "OpenID Connect Dynamic Client Registration §2",
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
  return refuse("The client_assertion is a JWT for another purpose", {
    reason: "assertion_type_foreign",
    spec: "RFC 10070 §4",
    expected: "typ client-authentication+jwt, JWT, or none",
    received: typ,
  });
}

/** RFC 9101 §10.8: a request object may have no typ. Its parameters show what it is. */
function checkPurpose(claims: Claims): OAuthError | undefined {
  const requested = ["response_type", "redirect_uri", "code_challenge"]
    .filter((name) => Object.hasOwn(claims, name));
  if (requested.length === 0) return undefined;
  return refuse("The client_assertion is an authorization request", {
    reason: "assertion_for_authorization",
    spec: "RFC 9101 §10.8",
    expected: "a JWT without the parameters of an authorization request",
    received: requested.join(", "),
  });
}

function checkClient({ iss, sub }: Claims, client: Client): OAuthError | undefined {
  if (iss !== client.id) {
    return refuse("The iss of a client_assertion must be the client itself", {
      reason: "assertion_issuer",
      spec: "RFC 7523 §3",
      expected: client.id,
      received: String(iss),
    });
  }
  if (sub === client.id) return undefined;
  return refuse("The sub of a client_assertion must be the client itself", {
    reason: "assertion_subject",
    spec: "RFC 7523 §3",
    expected: client.id,
    received: typeof sub === "string" ? sub : "no sub, or a sub that is not text",
  });
}

/**
 * Requires the issuer as the only audience, because an assertion with another audience may be meant for another server
 * (RFC 10070 §4). Only a client with `client_assertion_audience: "endpoint"` may also use the URL of the endpoint.
 */
function checkAudience(
  claims: Claims,
  client: Client,
  { request }: Exchange,
  { settings: { issuer, baseUrl, basePath } }: Services,
): OAuthError | undefined {
  const accepted = memberOf(client, assertionAudienceMember) === "endpoint"
    ? [issuer, baseUrl + request.address.path.slice(basePath.length)]
    : [issuer];
  const problem = findAudienceProblem(claims, accepted);
  return problem && refuse("The aud of a client_assertion must be this issuer only", {
    reason: "assertion_audience",
    spec: "RFC 10070 §4",
    ...problem,
  });
}

function checkTimes(claims: Claims, services: Services): OAuthError | undefined {
  const problem = findTimeProblem(claims, services);
  if (problem !== undefined) {
    const { state, ...details } = problem;
    return refuse(`The client_assertion ${state}`, {
      reason: "assertion_expired",
      spec: "RFC 7523 §3",
      ...details,
    });
  }
  const lifetimeProblem = findLifetimeProblem(claims, services);
  return lifetimeProblem && refuse("The client_assertion is valid for too long", {
    reason: "assertion_too_long",
    spec: "RFC 7523 §3",
    ...lifetimeProblem,
  });
}

const usedAssertions: Kind<{ readonly usedAt: number }> = { name: "once" };

/**
 * Accepts each assertion only once (OpenID Connect Core §9). The store has a record of each used assertion, so that
 * every endpoint and every process with this store refuses the assertion from then on.
 */
async function checkReplay(
  { jti, exp }: Claims,
  client: Client,
  { store, now }: Services,
): Promise<OAuthError | undefined> {
  if (typeof jti !== "string" || jti === "") {
    return refuse("The client_assertion has no jti", {
      reason: "assertion_without_jti",
      spec: "OpenID Connect Core §9",
    });
  }
  const id = sha256(JSON.stringify(["client_assertion", client.id, jti]));
  const terms = {
    expiresAt: Math.ceil(exp as number) + clockSkew + markMargin,
    now: now(),
    if: null,
  };
  if (await store.put(usedAssertions, id, { usedAt: now() }, terms) !== undefined) return undefined;
  return refuse("The client_assertion was used before", {
    reason: "assertion_replayed",
    spec: "OpenID Connect Core §9",
    expected: "a new jti for each request",
  });
}

function refuse(description: string, details: RefusalDetails<AssertionReason>): OAuthError {
  return new OAuthError("invalid_client", description, details);
}
