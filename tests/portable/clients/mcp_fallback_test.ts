/** The MCP SDK against a server without metadata: it tries /register, /authorize and /token (MCP 2025-03-26). */

import { assertEquals } from "@std/assert";
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { test } from "../../runner.ts";
import { inWorld } from "../../world.ts";

const redirectUrl = "http://localhost:3000/callback";

test("clients: the MCP SDK finds the paths root without any metadata", () =>
  inWorld(
    {
      issuer: "http://localhost:9000",
      paths: "root",
      metadata: { oauthAuthorizationServer: false, openidConfiguration: false },
    },
    async (world) => {
      const fetchFn = (url: string | URL, init?: RequestInit) => world.fetch(new Request(url, init));
      const metadata = await discoverAuthorizationServerMetadata(world.issuer, { fetchFn });
      assertEquals(metadata, undefined);
      const clientInformation = await registerClient(world.issuer, {
        clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
        fetchFn,
      });
      const { authorizationUrl, codeVerifier } = await startAuthorization(world.issuer, {
        clientInformation,
        redirectUrl,
      });
      assertEquals(authorizationUrl.pathname, "/authorize");
      const location = (await world.get(authorizationUrl.href)).headers.get("location")!;
      const tokens = await exchangeAuthorization(world.issuer, {
        clientInformation,
        authorizationCode: new URL(location).searchParams.get("code")!,
        codeVerifier,
        redirectUri: redirectUrl,
        fetchFn,
      });
      assertEquals(tokens.token_type, "Bearer");
    },
  ));
