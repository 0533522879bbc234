/** The MCP SDK on every runtime: at an API of a test, and at a server without metadata. `tests/clients` has more. */

import { assertEquals } from "@std/assert";
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { inWorld } from "../../../world.ts";
import { callGreet, greeter, type Saved } from "./mcp_client.ts";

const redirectUrl = "http://localhost:3000/callback";

test("mcp client: registers with the scope of the first challenge, and steps up (RFC 7591 §3.2.1)", async () => {
  await using as = await createMock();
  const url = "https://api.test/mcp";
  const api = as.resource(url, { scope: "read", rules: [{ tool: "greet", scope: "greet" }] }, greeter);
  const saved: Saved = { verifier: "" };
  assertEquals(await callGreet({ as, url, saved }), "Hello bob");
  assertEquals(as.requests.register.map(({ status }) => status), [201]);
  assertEquals(as.requests.authorize.map(({ scope }) => scope), [["read"], ["read", "greet"]]);
  assertEquals(api.requests.find(({ status }) => status === 403)?.rpc, ["tools/call greet"]);
  assertEquals(saved.tokens?.scope, "read greet");
});

// It tries /register, /authorize and /token (MCP 2025-03-26).
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
