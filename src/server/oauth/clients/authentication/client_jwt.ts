/** Verifies JWTs that a client signs with one of its keys: in its metadata, or at its jwks_uri. */

import type { VerifiedJwt } from "../../../../ground/crypto/jwt.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import { createForeignJwtVerifier } from "../../foreign/foreign_jwt.ts";
import type { KeySource } from "../../foreign/foreign_keys.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Services } from "../../contracts/feature.ts";
import { acceptedAlgorithms } from "./accepted_algorithms.ts";
import type { Client } from "../../contracts/client.ts";
import { jwksUriMember, keysIn } from "./client_keys.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import { reachOf } from "../metadata/reach.ts";

const refusal = refusals({
  client_keys_unavailable: {
    error: "invalid_client",
    spec: "RFC 7591 §2",
    sentence: "The server cannot get the keys of this client",
    expected: "a JWK Set of public keys at the client's jwks_uri",
    change: "Publish the client's public keys at its jwks_uri, as a JWK Set.",
  },
});

export const refused: RefusalRows = refusal.rows;

type VerifyClientJwt = (
  jwt: string,
  client: Client,
  exchange: Exchange,
  services: Services,
) => Promise<VerifiedJwt | undefined>;

export function createClientJwtVerifier(): VerifyClientJwt {
  const verify = createForeignJwtVerifier();
  return (jwt, client, exchange, services) =>
    verify(jwt, keySourceOf(client, exchange, services), exchange, services);
}

export function keySourceOf(client: Client, exchange: Exchange, services: Services): KeySource {
  const uri = memberOf(client, jwksUriMember);
  const algorithms = acceptedAlgorithms(client, services.settings);
  if (uri === undefined) return { keys: keysIn(client), algorithms };
  return {
    uri,
    algorithms,
    reach: reachOf(client, exchange, services),
    refuse: (problem) => refusal("client_keys_unavailable", problem),
  };
}
