/** Reads a request object: an authorization request as a JWT that the client has signed (RFC 9101). */

import { signingAlgorithms } from "../../crypto/jwk.ts";
import { readUnverifiedHeader, type VerifiedJwt } from "../../crypto/jwt.ts";
import type { Client } from "../../oauth/clients/client.ts";
import {
  findAudienceProblem,
  findLifetimeProblem,
  findTimeProblem,
} from "../../oauth/clients/client_jwt_claims.ts";
import { describeClientKeys, hasKeys } from "../../oauth/clients/client_keys.ts";
import { memberOf } from "../../oauth/clients/client_member.ts";
import { memberRemedy } from "../../oauth/clients/client_remedy.ts";
import { type AddedErrorCode, OAuthError, type RefusalDetails } from "../../oauth/error.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Pair } from "../../http/form.ts";
import { createParams, type Params } from "../../oauth/params.ts";
import type { Services } from "../../oauth/services.ts";
import { requestObjectAlg } from "./request_object_alg.ts";

export type RequestObjectReason =
  | "request_object_not_jwt"
  | "request_object_encrypted"
  | "request_object_unsigned"
  | "request_object_signature"
  | "request_object_algorithm"
  | "request_object_type"
  | "request_object_issuer"
  | "request_object_subject"
  | "request_object_audience"
  | "request_object_expired"
  | "request_object_too_long"
  | "request_object_nested";

/** RFC 9101 §7. */
const invalidRequestObject: AddedErrorCode = { code: "invalid_request_object", status: 400 };

/** Returns the parameters of the request, or the refusal of the object. */
export async function readRequestObject(
  text: string,
  client: Client,
  verify: (jwt: string) => Promise<VerifiedJwt | undefined>,
  services: Services,
): Promise<Params | OAuthError> {
  const unreadable = checkForm(text);
  if (unreadable !== undefined) return unreadable;
  const jwt = await verify(text);
  if (jwt === undefined) return refuseSignature(text, client, services);
  const problem = checkAlgorithm(jwt, client) ?? checkType(jwt) ?? checkClaims(jwt.claims, client, services);
  return problem ?? paramsOf(jwt.claims);
}

function checkForm(text: string): OAuthError | undefined {
  const parts = text.split(".");
  if (parts.length === 5) {
    return refuse("An encrypted request object is not supported", {
      reason: "request_object_encrypted",
      spec: "RFC 9101 §6.1",
      expected: "a signed JWT",
    });
  }
  if (parts.length === 3 && parts[2] === "") {
    return refuse("The request object is not signed", {
      reason: "request_object_unsigned",
      spec: "RFC 9101 §4",
      expected: `a JWT that one of ${signingAlgorithms.join(", ")} signs`,
    });
  }
  if (readUnverifiedHeader(text) !== undefined) return undefined;
  return refuse("The request object is not a JWT", {
    reason: "request_object_not_jwt",
    spec: "RFC 9101 §6",
    expected: "a signed JWT",
  });
}

function refuseSignature(text: string, client: Client, services: Services): OAuthError {
  const { kid, alg } = readUnverifiedHeader(text)!;
  return refuse("The request object is not signed with a key of this client", {
    reason: "request_object_signature",
    spec: "RFC 9101 §6.2",
    expected: hasKeys(client)
      ? `${describeClientKeys(client)}, and one of ${signingAlgorithms.join(", ")}`
      : "a client with jwks or jwks_uri",
    received: `kid ${kid ?? "left out"} with ${alg}`,
    ...(hasKeys(client) ? {} : memberRemedy(client, { jwks: { keys: [] } }, services)),
  });
}

function checkAlgorithm({ alg }: VerifiedJwt, client: Client): OAuthError | undefined {
  const registered = memberOf(client, requestObjectAlg);
  if (registered === undefined || registered === alg) return undefined;
  return refuse("The request object is signed with another algorithm than the client has registered", {
    reason: "request_object_algorithm",
    spec: "OpenID Connect Registration §2",
    expected: registered,
    received: alg,
  });
}

/** RFC 9101 §10.8: a JWT for another purpose, signed with the same key, is not accepted. */
function checkType({ typ }: VerifiedJwt): OAuthError | undefined {
  if (typ === undefined || /^(application\/)?(jwt|oauth-authz-req\+jwt)$/i.test(typ)) return undefined;
  return refuse("The request object is a JWT for another purpose", {
    reason: "request_object_type",
    spec: "RFC 9101 §10.8",
    expected: "typ oauth-authz-req+jwt, JWT, or none",
    received: typ,
  });
}

function checkClaims(claims: Claims, client: Client, services: Services): OAuthError | undefined {
  const { iss, sub } = claims;
  // RFC 9101 §4 does not require iss, because the object has client_id.
  if (iss !== undefined && iss !== client.id) {
    return refuse("The iss of a request object must be the client itself", {
      reason: "request_object_issuer",
      spec: "RFC 9101 §4",
      expected: client.id,
      received: String(iss),
    });
  }
  // RFC 9101 §10.8: such an object could be sent as a client assertion.
  if (sub === client.id) {
    return refuse("The sub of a request object must not be the client itself", {
      reason: "request_object_subject",
      spec: "RFC 9101 §10.8",
      expected: "no sub",
      received: client.id,
    });
  }
  const audience = findAudienceProblem(claims, [services.settings.issuer]);
  if (audience !== undefined) {
    return refuse("The aud of a request object must be this issuer only", {
      reason: "request_object_audience",
      spec: "RFC 9101 §4",
      ...audience,
    });
  }
  return checkTimes(claims, services) ?? checkNested(claims);
}

function checkTimes(claims: Claims, services: Services): OAuthError | undefined {
  const time = findTimeProblem(claims, services);
  if (time !== undefined) {
    const { state, ...details } = time;
    return refuse(`The request object ${state}`, {
      reason: "request_object_expired",
      spec: "RFC 9101 §10.2",
      ...details,
    });
  }
  const lifetime = findLifetimeProblem(claims, services);
  return lifetime && refuse("The request object is valid for too long", {
    reason: "request_object_too_long",
    spec: "RFC 9101 §10.2",
    ...lifetime,
  });
}

function checkNested(claims: Claims): OAuthError | undefined {
  const nested = ["request", "request_uri"].find((name) => claims[name] !== undefined);
  if (nested === undefined) return undefined;
  return refuse("A request object must not contain another request", {
    reason: "request_object_nested",
    spec: "RFC 9101 §4",
    received: nested,
  });
}

/** The claims of the JWT itself, which are no parameters of the request (RFC 7519 §4.1). */
const jwtClaims: ReadonlySet<string> = new Set(["iss", "aud", "exp", "nbf", "iat", "jti"]);

/** Returns the claims as parameters (RFC 9101 §4). */
export function paramsOf(claims: Claims): Params {
  return createParams(
    Object.entries(claims).filter(([name]) => !jwtClaims.has(name)).flatMap((
      [name, value],
    ): readonly Pair[] =>
      // RFC 8707 §2: the only parameter that may have several values.
      name === "resource" && Array.isArray(value)
        ? value.map((each): Pair => [name, formatValue(each)])
        : [[name, formatValue(value)]]
    ),
  );
}

/** Members such as `claims` and `max_age` are JSON values here, and text in a query. */
function formatValue(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function refuse(description: string, details: RefusalDetails<RequestObjectReason>): OAuthError {
  return new OAuthError(invalidRequestObject, description, details);
}
