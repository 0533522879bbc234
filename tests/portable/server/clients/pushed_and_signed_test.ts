/** `openid-client` 6 pushes and signs its authorization requests with default settings. */

import { exportJWK, generateKeyPair } from "jose";
import * as client from "openid-client";
import { test } from "../../../runner.ts";
import { redirectUri } from "../../../world.ts";
import { discoverConfiguration } from "./discovery.ts";
import { prepareLogin } from "./openid_client_login.ts";
import {
  basicClient,
  type ClientMetadata,
  publicClient,
  requireCarol,
  secret,
  signInFor,
  withWorld,
} from "./postern.ts";

const pair = await generateKeyPair("ES256", { extractable: true });
const jwks = { keys: [{ ...await exportJWK(pair.publicKey), kid: "k" }] } as never;
const key = { key: pair.privateKey, kid: "k" };

const keyClient: ClientMetadata = {
  client_id: "app",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "private_key_jwt",
  jwks,
};

/** The metadata of each kind of client, how it authenticates, and what it does with its request. */
const kinds = [
  {
    name: "a public client",
    metadata: publicClient,
    authentication: client.None(),
    way: ["pushes"],
  },
  {
    name: "a client with a secret",
    metadata: basicClient,
    authentication: client.ClientSecretBasic(secret),
    way: ["signs"],
  },
  {
    name: "a client with a key",
    metadata: keyClient,
    authentication: client.PrivateKeyJwt(key),
    way: ["signs", "pushes"],
  },
];

/** The requirements on the server, so that another way would be refused. */
function requirementsOf(way: readonly string[]) {
  return { requirePushedRequests: way.includes("pushes"), requireSignedRequests: way.includes("signs") };
}

for (const { name, metadata, authentication, way } of kinds) {
  test(`clients: openid-client 6, ${name} ${way.join(" and ")} its request (RFC 9101, RFC 9126)`, () =>
    withWorld({ ...metadata, jwks }, async (world, visitor) => {
      const config = await discoverConfiguration(world, authentication);
      const login = await prepareLogin();
      const params = { ...login.params, max_age: "3600" };
      const signed = way.includes("signs")
        ? (await client.buildAuthorizationUrlWithJAR(config, params, key)).searchParams
        : params;
      const url = way.includes("pushes")
        ? await client.buildAuthorizationUrlWithPAR(config, signed)
        : client.buildAuthorizationUrl(config, Object.fromEntries(new URLSearchParams(signed)));
      const checks = { ...login.checks, maxAge: 3600 };
      const tokens = await client.authorizationCodeGrant(config, await signInFor(visitor, url), checks);
      requireCarol(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub));
    }, requirementsOf(way)));
}
