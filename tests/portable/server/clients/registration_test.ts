/** Foreign libraries register a client, sign a person in, and refresh. */

import { assert, assertEquals } from "@std/assert";
import * as client from "openid-client";
import { test } from "../../../runner.ts";
import { publicClient, requireCarol, signInFor, withWorld } from "./postern.ts";

const redirect_uri = "http://127.0.0.1:4000/cb";

test("clients: openid-client 6 registers a client with an initial access token, which signs in and refreshes", () =>
  withWorld(publicClient, async (world, visitor) => {
    const customFetch = (url: string, options: client.CustomFetchOptions) =>
      world.fetch(new Request(url, options as RequestInit));
    const config = await client.dynamicClientRegistration(
      new URL(world.issuer),
      {
        client_name: "Notes",
        application_type: "native",
        redirect_uris: [redirect_uri],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_jwt",
      },
      client.ClientSecretJwt(),
      { [client.customFetch]: customFetch, initialAccessToken: "initial-token" },
    );
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
    const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    requireCarol(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub));
    assert((await client.refreshTokenGrant(config, tokens.refresh_token!)).access_token);
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
