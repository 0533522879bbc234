/** Loads the metadata of the server (RFC 8414 §3; OpenID Connect Discovery §4). */

import { isObject, type Json } from "./json.ts";
import { Refusal, refuseIf, type Run } from "./habits.ts";

export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly all: Json;
}

export async function discover(run: Run): Promise<ServerMetadata> {
  const { as, scenario: { issuer, signal } } = run;
  const response = await as.fetch(`${issuer}/.well-known/openid-configuration`, { signal });
  const all: unknown = await response.json();
  if (!isObject(all)) throw new Refusal("the metadata is not an object");
  // RFC 8414 §3.3.
  refuseIf(run, all["issuer"] !== issuer, `the metadata is of the issuer ${all["issuer"]}`);
  return {
    issuer: `${all["issuer"]}`,
    authorizationEndpoint: `${all["authorization_endpoint"]}`,
    tokenEndpoint: `${all["token_endpoint"]}`,
    jwksUri: `${all["jwks_uri"]}`,
    all,
  };
}
