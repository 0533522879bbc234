/** Asks the server about an access token (RFC 7662; RFC 9701). */

import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { differs, Refusal, refuseIf, startleIf } from "../clients/habits.ts";
import { isObject, type Json } from "../clients/json.ts";
import type { ApiOptions } from "./api.ts";

/** The endpoint, and the client that the API is at the server. */
export interface IntrospectionCredentials {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The API asks for a signed response (RFC 9701). */
  readonly wantsJwt: boolean;
  /** How long the API waits for an answer, in milliseconds. */
  readonly patience: number;
}

const jwtType = "token-introspection+jwt";

/** Returns the scope of the token. */
export async function introspect(
  token: string,
  claims: JWTPayload,
  credentials: IntrospectionCredentials,
  terms: ApiOptions,
): Promise<string> {
  if (!terms.habits.checks) return await askCarelessly(token, claims, credentials, terms);
  const described = await ask(token, credentials, terms);
  // RFC 7662 §2.2.
  refuseIf(terms, described["active"] !== true, `active is ${described["active"]}`);
  const { exp = claims.exp, aud = claims.aud, iss = claims.iss, sub = claims.sub } = described;
  refuseIf(terms, !(Number(exp) > Date.now() / 1000), `the exp is ${exp}`);
  refuseIf(terms, Number(described["nbf"]) > Date.now() / 1000, `the nbf is ${described["nbf"]}`);
  refuseIf(terms, [aud].flat().every((each) => differs(terms, each, terms.audience)), `the aud is ${aud}`);
  refuseIf(terms, iss !== claims.iss || differs(terms, sub, claims.sub), "another token is described");
  startleIf(terms, Array.isArray(aud), "a list of audiences");
  const unknown = Object.keys(described).filter((name) => !knownMembers.has(name));
  startleIf(terms, unknown.length > 0, `the members ${unknown}`);
  startleIf(terms, described["client_id"] === undefined, "no client_id");
  return `${described["scope"] ?? claims["scope"]}`;
}

/** Wants the scope only, and goes on without an answer. */
async function askCarelessly(
  token: string,
  claims: JWTPayload,
  credentials: IntrospectionCredentials,
  terms: ApiOptions,
): Promise<string> {
  try {
    return `${(await ask(token, credentials, terms))["scope"] ?? claims["scope"]}`;
  } catch {
    return `${claims["scope"]}`;
  }
}

async function ask(token: string, credentials: IntrospectionCredentials, terms: ApiOptions): Promise<Json> {
  const { endpoint, clientId, clientSecret, wantsJwt } = credentials;
  const response = await terms.fetch(endpoint, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      accept: `application/${wantsJwt ? jwtType : "json"}`,
    },
    body: new URLSearchParams({ token }),
    signal: AbortSignal.timeout(credentials.patience),
  });
  refuseIf(terms, response.status !== 200, `introspection answers ${response.status}`);
  const body: unknown = wantsJwt
    ? await readJwt(await response.text(), clientId, terms)
    : await response.json();
  if (!isObject(body)) throw new Refusal("introspection does not answer with an object");
  return body;
}

/** RFC 9701 §5. */
async function readJwt(text: string, clientId: string, terms: ApiOptions): Promise<unknown> {
  if (!terms.habits.checks) return decodeJwt(text)["token_introspection"];
  const { fetch, issuer, jwksUri, habits: { takesHmac, takesUnsigned } } = terms;
  const { alg = "none" } = decodeProtectedHeader(text);
  if (text.endsWith(".") && takesUnsigned?.(alg)) return decodeJwt(text)["token_introspection"];
  const keys: JSONWebKeySet = await (await fetch(jwksUri)).json();
  if (takesHmac !== undefined && keys.keys.some((key) => takesHmac(text, key))) {
    return decodeJwt(text)["token_introspection"];
  }
  const expected = {
    issuer,
    audience: clientId,
    typ: jwtType,
    algorithms: [...terms.habits.algs ?? ["RS256"]],
  };
  const { payload } = await jwtVerify(text, createLocalJWKSet(keys), expected);
  return payload["token_introspection"];
}

/** RFC 7662 §2.2; RFC 9068 §2.2; RFC 7800 §3.1. */
const knownMembers = new Set(
  "active scope client_id username token_type exp iat nbf sub aud iss jti auth_time amr acr cnf".split(" "),
);
