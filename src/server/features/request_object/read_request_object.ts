/** Reads a request object: an authorization request as a JWT that the client has signed (RFC 9101). */

import { describeText } from "../../../ground/schema/received.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { ClientMember, Services } from "../../oauth/contracts/feature.ts";
import { isEncryptedJwt } from "../../../ground/crypto/jwt_parts.ts";
import { readUnverifiedHeader, type VerifiedJwt } from "../../../ground/crypto/jwt.ts";
import { acceptedAlgorithms } from "../../oauth/clients/authentication/accepted_algorithms.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import {
  findAudienceProblem,
  findBoundProblem,
  findLifetimeProblem,
  findTimeProblem,
} from "../../oauth/clients/authentication/client_jwt_claims.ts";
import { describeClientKeys, hasKeys } from "../../oauth/clients/authentication/client_keys.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import { memberRemedy } from "../../oauth/clients/records/client_remedy.ts";
import {
  type AddedErrorCode,
  type OAuthError,
  type RefusalRows,
  refusals,
} from "../../oauth/contracts/refusals.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { createParams, type Params } from "../../oauth/contracts/params.ts";

/** OpenID Connect Dynamic Client Registration §2. */
export const requestObjectAlg: ClientMember<SigningAlgorithm> = {
  name: "request_object_signing_alg",
  schema: { type: "string", enum: signingAlgorithms },
};

/** FAPI 2.0 Message Signing §5.3.1. */
export const requestObjectTimes: ClientMember<"usual" | "bounded"> = {
  name: "request_object_times",
  schema: { type: "string", enum: ["usual", "bounded"] },
};

/** RFC 9101 §7. */
const invalidRequestObject: AddedErrorCode = { code: "invalid_request_object", status: 400 };

const refusal = refusals({ error: invalidRequestObject }, {
  request_object_encrypted: {
    spec: "RFC 9101 §6.1",
    sentence: "An encrypted request object is not supported",
    expected: "a signed JWT",
    change: "Send a signed request object that is not encrypted.",
  },
  request_object_unsigned: {
    spec: "RFC 9101 §4",
    sentence: "The request object is not signed",
    expected: "a JWT that a key of the client signs",
    change: "Sign the request object, because alg none is not accepted.",
  },
  request_object_not_jwt: {
    spec: "RFC 9101 §6",
    sentence: "The request object is not a JWT",
    expected: "a signed JWT",
    change: "Send a signed JWT as the request object.",
  },
  request_object_signature: {
    spec: "RFC 9101 §6.2",
    sentence: "The request object is not signed with a key of this client",
    expected: "a key of the client's jwks or jwks_uri, and an algorithm that fits it",
    change: "Sign with a private key whose public half is among the registered keys of the client.",
  },
  request_object_algorithm: {
    spec: "OpenID Connect Registration §2",
    sentence: "The request object is signed with another algorithm than the client has registered",
    expected: "the client's request_object_signing_alg",
    change: "Sign with the registered request_object_signing_alg.",
  },
  request_object_type: {
    spec: "RFC 9101 §10.8",
    sentence: "The request object is a JWT for another purpose",
    expected: "typ oauth-authz-req+jwt, JWT, or none",
    change: "Set typ of the request object to oauth-authz-req+jwt, or leave it out.",
  },
  request_object_issuer: {
    spec: "RFC 9101 §4",
    sentence: "The iss of a request object must be the client itself",
    expected: "the client_id",
    change: "Set iss of the request object to the client_id.",
  },
  request_object_subject: {
    spec: "RFC 9101 §10.8",
    sentence: "The sub of a request object must not be the client itself",
    expected: "no sub",
    change: "Leave sub out of the request object.",
  },
  request_object_audience: {
    spec: "RFC 9101 §4",
    sentence: "The aud of a request object must be this issuer only",
    expected: "the issuer",
    change: "Set aud of the request object to the issuer.",
  },
  request_object_expired: {
    spec: "RFC 9101 §10.2",
    sentence: "The request object {state}",
    expected: "an exp in the future, and no nbf and no iat in the future",
    change: "Create the request object just before the request, and compare the clocks.",
  },
  request_object_too_long: {
    spec: "RFC 9101 §10.2",
    sentence: "The request object is valid for too long",
    expected: "an exp at most an hour after now",
    change: "Set exp at most an hour after now.",
  },
  request_object_unbounded: {
    spec: "FAPI 2.0 Message Signing §5.3.1",
    sentence: "The request object must say when it begins and ends, an hour apart at most",
    expected: "nbf at most an hour ago, and exp at most an hour after it",
    change: "Add nbf with the present time, and exp soon after it.",
  },
  request_object_nested: {
    spec: "RFC 9101 §4",
    sentence: "A request object must not contain another request",
    change: "Leave request and request_uri out of the request object.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function readRequestObject(
  text: string,
  client: Client,
  verify: (jwt: string) => Promise<VerifiedJwt | undefined>,
  services: Services,
): Promise<Params | OAuthError> {
  const algorithms = acceptedAlgorithms(client, services.settings).join(", ");
  const unreadable = checkForm(text, algorithms);
  if (unreadable !== undefined) return unreadable;
  const jwt = await verify(text);
  if (jwt === undefined) return signatureRefusal(text, client, algorithms, services);
  const problem = checkAlgorithm(jwt, client) ?? checkType(jwt) ?? checkClaims(jwt.claims, client, services);
  return problem ?? paramsOf(jwt.claims);
}

function checkForm(text: string, algorithms: string): OAuthError | undefined {
  if (isEncryptedJwt(text)) return refusal("request_object_encrypted");
  const parts = text.split(".");
  if (parts.length === 3 && parts[2] === "") {
    return refusal("request_object_unsigned", { expected: `a JWT that one of ${algorithms} signs` });
  }
  if (readUnverifiedHeader(text) !== undefined) return undefined;
  return refusal("request_object_not_jwt");
}

function signatureRefusal(text: string, client: Client, algorithms: string, services: Services): OAuthError {
  const { kid, alg } = readUnverifiedHeader(text)!;
  return refusal("request_object_signature", {
    expected: hasKeys(client)
      ? `${describeClientKeys(client)}, and one of ${algorithms}`
      : "a client with jwks or jwks_uri",
    received: `kid ${kid ?? "left out"} with ${alg}`,
    ...(hasKeys(client) ? {} : memberRemedy(client, { jwks: { keys: [] } }, services)),
  });
}

function checkAlgorithm({ alg }: VerifiedJwt, client: Client): OAuthError | undefined {
  const registered = memberOf(client, requestObjectAlg);
  if (registered === undefined || registered === alg) return undefined;
  return refusal("request_object_algorithm", { expected: registered, received: alg });
}

/** RFC 9101 §10.8: a JWT for another purpose, signed with the same key, is not accepted. */
function checkType({ typ }: VerifiedJwt): OAuthError | undefined {
  if (typ === undefined || /^(application\/)?(jwt|oauth-authz-req\+jwt)$/i.test(typ)) return undefined;
  return refusal("request_object_type", { received: typ });
}

function checkClaims(claims: Claims, client: Client, services: Services): OAuthError | undefined {
  const { iss, sub } = claims;
  // RFC 9101 §4 does not require iss, because the object has client_id.
  if (iss !== undefined && iss !== client.id) {
    return refusal("request_object_issuer", { expected: client.id, received: describeText(iss) });
  }
  // RFC 9101 §10.8: such an object could be sent as a client assertion.
  if (sub === client.id) return refusal("request_object_subject", { received: client.id });
  const isBounded = memberOf(client, requestObjectTimes) === "bounded";
  const audience = findAudienceProblem(claims, [services.settings.issuer], isBounded ? "listed" : "only");
  if (audience !== undefined) return refusal("request_object_audience", audience);
  return checkTimes(claims, isBounded, services) ?? checkNested(claims);
}

function checkTimes(claims: Claims, isBounded: boolean, services: Services): OAuthError | undefined {
  const bounds = isBounded ? findBoundProblem(claims, services) : undefined;
  if (bounds !== undefined) return refusal("request_object_unbounded", bounds);
  const time = findTimeProblem(claims, services);
  if (time !== undefined) return refusal("request_object_expired", time);
  const lifetime = findLifetimeProblem(claims, services);
  return lifetime && refusal("request_object_too_long", lifetime);
}

function checkNested(claims: Claims): OAuthError | undefined {
  const nested = ["request", "request_uri"].find((name) => claims[name] !== undefined);
  if (nested === undefined) return undefined;
  return refusal("request_object_nested", { received: nested });
}

/** The claims of the JWT itself, which are no parameters of the request (RFC 7519 §4.1). */
const jwtClaims: ReadonlySet<string> = new Set(["iss", "aud", "exp", "nbf", "iat", "jti"]);

/** Returns the claims as parameters (RFC 9101 §4). */
export function paramsOf(claims: Claims): Params {
  const params = Object.entries(claims).filter(([name]) => !jwtClaims.has(name));
  return createParams(params.flatMap(([name, value]) => {
    // RFC 8707 §2: the only parameter that may have several values.
    const values: readonly unknown[] = name === "resource" && Array.isArray(value) ? value : [value];
    return values.map((each): Pair => [name, formatValue(each)]);
  }));
}

/** Members such as `claims` and `max_age` are JSON values here, and text in a query. */
function formatValue(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
