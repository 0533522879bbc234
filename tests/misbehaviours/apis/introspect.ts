/** Asks the server about an access token (RFC 7662). */

import type { JWTPayload } from "jose";
import { Refusal, refuseIf } from "../clients/habits.ts";
import { isObject, type Json } from "../clients/json.ts";
import type { ApiTerms } from "./api.ts";

/** The endpoint, and the client that the API is at the server. */
export interface IntrospectionCredentials {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Returns the scope of the token. */
export async function introspect(
  token: string,
  claims: JWTPayload,
  credentials: IntrospectionCredentials,
  terms: ApiTerms,
): Promise<string> {
  const described = await ask(token, credentials, terms);
  if (described["active"] === false) throw new Refusal("the token is not active");
  // RFC 7662 §2.2.
  refuseIf(terms, described["active"] !== true, `active is ${described["active"]}`);
  return `${described["scope"] ?? claims["scope"]}`;
}

async function ask(
  token: string,
  { endpoint, clientId, clientSecret }: IntrospectionCredentials,
  terms: ApiTerms,
): Promise<Json> {
  const response = await terms.fetch(endpoint, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, accept: "application/json" },
    body: new URLSearchParams({ token }),
  });
  refuseIf(terms, response.status !== 200, `introspection answers ${response.status}`);
  const body: unknown = await response.json();
  refuseIf(terms, !isObject(body), "introspection does not answer with an object");
  return isObject(body) ? body : {};
}
