/** `openid-client` 6 and `oauth4webapi` push and sign their authorization requests with default settings. */

import { assertEquals, assertRejects } from "@std/assert";
import { exportJWK, generateKeyPair } from "jose";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { fetchFrom } from "../../flows/foreign_client.ts";
import { test } from "../../runner.ts";
import { redirectUri, type World } from "../../world.ts";
import { discoverConfiguration, discoverServer } from "./discovery.ts";
import {
  basicClient,
  type ClientMetadata,
  publicClient,
  requireCarol,
  secret,
  signInFor,
  withWorld,
} from "./postern.ts";
import type { Visitor } from "./visitor.ts";

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
    forOpenidClient: client.None(),
    forOauth4webapi: oauth.None(),
    way: ["pushes"],
  },
  {
    name: "a client with a secret",
    metadata: basicClient,
    forOpenidClient: client.ClientSecretBasic(secret),
    forOauth4webapi: oauth.ClientSecretBasic(secret),
    way: ["signs"],
  },
  {
    name: "a client with a key",
    metadata: keyClient,
    forOpenidClient: client.PrivateKeyJwt(key),
    forOauth4webapi: oauth.PrivateKeyJwt(key),
    way: ["signs", "pushes"],
  },
];

/** The requirements on the server, so that another way would be refused. */
function requirementsOf(way: readonly string[]) {
  return { requirePushedRequests: way.includes("pushes"), requireSignedRequests: way.includes("signs") };
}

for (const { name, metadata, forOpenidClient, forOauth4webapi, way } of kinds) {
  test(`clients: openid-client 6, ${name} ${way.join(" and ")} its request (RFC 9101, RFC 9126)`, () =>
    withWorld({ ...metadata, jwks }, async (world, visitor) => {
      const config = await discoverConfiguration(world, forOpenidClient);
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
      const params: Record<string, string> = {
        redirect_uri: redirectUri,
        scope: "openid profile email",
        state: expectedState,
        nonce: expectedNonce,
        max_age: "3600",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      };
      const signed = way.includes("signs")
        ? (await client.buildAuthorizationUrlWithJAR(config, params, key)).searchParams
        : params;
      const url = way.includes("pushes")
        ? await client.buildAuthorizationUrlWithPAR(config, signed)
        : client.buildAuthorizationUrl(config, Object.fromEntries(new URLSearchParams(signed)));
      const checks = {
        pkceCodeVerifier,
        expectedState,
        expectedNonce,
        maxAge: 3600,
        idTokenExpected: true,
      };
      const tokens = await client.authorizationCodeGrant(config, await signInFor(visitor, url), checks);
      requireCarol(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub));
    }, requirementsOf(way)));

  test(`clients: oauth4webapi, ${name} ${way.join(" and ")} its request (RFC 9101, RFC 9126)`, () =>
    withWorld({ ...metadata, jwks }, async (world, visitor) => {
      requireCarol(await signInWith(forOauth4webapi, way, world, visitor));
    }, requirementsOf(way)));
}

const app: oauth.Client = { client_id: "app" };

async function signInWith(
  authenticate: oauth.ClientAuth,
  way: readonly string[],
  world: World,
  visitor: Visitor,
): Promise<Readonly<Record<string, unknown>>> {
  const options = { [oauth.customFetch]: fetchFrom(world) };
  const server = await discoverServer(world);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const plain: Record<string, string> = {
    client_id: "app",
    response_type: "code",
    redirect_uri: redirectUri,
    scope: "openid profile email",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  const signed: Record<string, string> = way.includes("signs")
    ? { client_id: "app", request: await oauth.issueRequestObject(server, app, plain, key) }
    : plain;
  const url = new URL(server.authorization_endpoint!);
  const params = way.includes("pushes") ? await push(authenticate, server, signed, options) : signed;
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  const called = oauth.validateAuthResponse(server, app, await signInFor(visitor, url), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    app,
    await oauth.authorizationCodeGrantRequest(
      server,
      app,
      authenticate,
      called,
      redirectUri,
      verifier,
      options,
    ),
    { requireIdToken: true },
  );
  const { sub } = oauth.getValidatedIdTokenClaims(tokens)!;
  const response = await oauth.userInfoRequest(server, app, tokens.access_token, options);
  return await oauth.processUserInfoResponse(server, app, sub, response);
}

async function push(
  authenticate: oauth.ClientAuth,
  server: oauth.AuthorizationServer,
  params: Record<string, string>,
  options: oauth.PushedAuthorizationRequestOptions,
): Promise<Record<string, string>> {
  const response = await oauth.pushedAuthorizationRequest(server, app, authenticate, params, options);
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, app, response);
  return { client_id: "app", request_uri };
}

test("clients: oauth4webapi gets the reason why its pushed request is refused (RFC 9126 §2.3)", () =>
  withWorld(publicClient, async (world) => {
    const server = await discoverServer(world);
    const options = { [oauth.customFetch]: fetchFrom(world) };
    const error = await assertRejects(
      () => push(oauth.None(), server, { response_type: "code", redirect_uri: redirectUri }, options),
      oauth.ResponseBodyError,
    ) as oauth.ResponseBodyError;
    assertEquals([error.error, error.status, world.lastRefusal()?.reason], [
      "invalid_request",
      400,
      "challenge_missing",
    ]);
  }));
