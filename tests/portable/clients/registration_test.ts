/** Foreign libraries register a client, sign a person in, and manage the registration. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { test } from "../../runner.ts";
import type { World } from "../../world.ts";
import { discoverServer } from "./discovery.ts";
import { publicClient, requireCarol, signInFor, withWorld } from "./postern.ts";

const redirect_uri = "http://127.0.0.1:4000/cb";
const webUri = "https://app.dev/cb";

const metadata = {
  client_name: "Notes",
  application_type: "native",
  redirect_uris: [redirect_uri],
  grant_types: ["authorization_code", "refresh_token"],
};

const methods: readonly (readonly [method: string, createAuth: (secret: string) => client.ClientAuth])[] = [
  ["none", () => client.None()],
  ["client_secret_jwt", (secret) => client.ClientSecretJwt(secret)],
];

/** Registers a client, and returns its configuration with the authentication method of the response. */
async function registerWithOpenidClient(
  world: World,
  method: string,
  createAuth: (secret: string) => client.ClientAuth,
): Promise<client.Configuration> {
  const customFetch = (url: string, options: client.CustomFetchOptions) =>
    world.fetch(new Request(url, options as RequestInit));
  const first = await client.dynamicClientRegistration(
    new URL(world.issuer),
    { ...metadata, token_endpoint_auth_method: method },
    undefined,
    { [client.customFetch]: customFetch },
  );
  const registered = first.clientMetadata();
  assertEquals([registered["client_name"], registered["token_endpoint_auth_method"]], ["Notes", method]);
  const auth = createAuth(`${registered.client_secret}`);
  const config = new client.Configuration(first.serverMetadata(), registered.client_id, registered, auth);
  config[client.customFetch] = customFetch;
  return config;
}

for (const [method, createAuth] of methods) {
  test(`clients: openid-client 6 registers a client with ${method}, which signs in and refreshes`, () =>
    withWorld(publicClient, async (world, visitor) => {
      const config = await registerWithOpenidClient(world, method, createAuth);
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const expectedState = client.randomState();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: "openid profile email",
        state: expectedState,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      });
      const callback = await signInFor(visitor, url);
      const tokens = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier,
        expectedState,
      });
      requireCarol(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub));
      assert((await client.refreshTokenGrant(config, tokens.refresh_token!)).access_token);
    }));
}

test("clients: openid-client 6 reports a refused registration with its code", () =>
  withWorld(publicClient, async (world) => {
    const error = await assertRejects(() =>
      client.dynamicClientRegistration(new URL(world.issuer), { redirect_uris: [webUri] }, undefined, {
        [client.customFetch]: (url: string, options: client.CustomFetchOptions) =>
          world.fetch(new Request(url, options as RequestInit)),
      })
    );
    assertEquals(Reflect.get(error as object, "error"), "invalid_redirect_uri");
  }));

test("clients: oauth4webapi registers a client with an initial access token, which gets tokens for itself", () =>
  withWorld(publicClient, async (world) => {
    const options = {
      [oauth.customFetch]: (url: string, init: object) => world.fetch(new Request(url, init as RequestInit)),
    };
    const as = await discoverServer(world);
    const body = { redirect_uris: [webUri], grant_types: ["authorization_code", "client_credentials"] };
    const ask = (initialAccessToken?: string) =>
      oauth.dynamicClientRegistrationRequest(as, body, {
        ...options,
        ...(initialAccessToken === undefined ? {} : { initialAccessToken }),
      });
    const challenged = await assertRejects(async () =>
      oauth.processDynamicClientRegistrationResponse(await ask())
    );
    assert(challenged instanceof oauth.WWWAuthenticateChallengeError);
    const registered = await oauth.processDynamicClientRegistrationResponse(await ask("initial-token"));
    const secret = `${registered.client_secret}`;
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      registered,
      oauth.ClientSecretBasic(secret),
      new URLSearchParams({ scope: "read" }),
      options,
    );
    const { access_token } = await oauth.processClientCredentialsResponse(as, registered, response);
    assert(access_token);
  }, { registration: { initialAccessTokens: ["initial-token"] } }));

test("clients: the MCP SDK registers a client with its defaults, which signs in and refreshes", () =>
  withWorld(publicClient, async (world, visitor) => {
    const { discoverAuthorizationServerMetadata, exchangeAuthorization, refreshAuthorization, ...sdk } =
      await import("@modelcontextprotocol/sdk/client/auth.js");
    const fetchFn = (url: string | URL, init?: RequestInit) => world.fetch(new Request(url, init));
    const server = (await discoverAuthorizationServerMetadata(world.issuer, { fetchFn }))!;
    const redirectUrl = "http://localhost:3000/callback";
    const clientInformation = await sdk.registerClient(world.issuer, {
      metadata: server,
      // The metadata of the SDK's own examples. They have no application_type.
      clientMetadata: {
        client_name: "Simple OAuth MCP Client",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
      fetchFn,
    });
    assertEquals(typeof clientInformation.client_secret, "string");
    const common = { metadata: server, clientInformation, fetchFn };
    const resource = "http://localhost:3001/mcp";
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(world.issuer, {
      ...{ metadata: server, clientInformation, redirectUrl, resource, scope: "openid" },
    });
    const callback = await signInFor(visitor, authorizationUrl);
    const tokens = await exchangeAuthorization(world.issuer, {
      ...common,
      ...{ authorizationCode: callback.searchParams.get("code")!, codeVerifier, redirectUri: redirectUrl },
      resource,
    });
    const refreshToken = tokens.refresh_token!;
    assert((await refreshAuthorization(world.issuer, { ...common, refreshToken, resource })).access_token);
  }));
