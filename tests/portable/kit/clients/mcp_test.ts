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

const registering = [
  ["auth0", "https://shop.eu.auth0.com/", "https://shop.eu.auth0.com/oidc/register"],
  ["gitlab", "https://gitlab.com", "https://gitlab.com/oauth/register"],
  [
    "keycloak",
    "https://sso.example.com/realms/shop",
    "https://sso.example.com/realms/shop/clients-registrations/openid-connect",
  ],
] as const;

for (const [name, issuer, address] of registering) {
  test(`mcp client: registers and logs in at ${name}, where the metadata say so`, async () => {
    await using as = await createMock({ lookLike: name });
    const fetchFn = as.fetch;
    const metadata = (await discoverAuthorizationServerMetadata(issuer, { fetchFn }))!;
    assertEquals(metadata.registration_endpoint, address);
    const clientMetadata = { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" };
    const clientInformation = await registerClient(issuer, { metadata, clientMetadata, fetchFn });
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      ...{ metadata, clientInformation, redirectUrl, scope: "openid" },
    });
    const callback = await as.authorize(authorizationUrl, { username: "alice" });
    const tokens = await exchangeAuthorization(issuer, {
      ...{ metadata, clientInformation, codeVerifier, redirectUri: redirectUrl, fetchFn },
      authorizationCode: callback.searchParams.get("code")!,
    });
    assertEquals(tokens.token_type, "Bearer");
    assertEquals(as.requests.register.map(({ status }) => status), [201]);
  });
}

test("mcp client: no provider registers a client of a mock that registers none", async () => {
  await using as = await createMock({ lookLike: "gitlab", registration: false });
  const fetchFn = as.fetch;
  const metadata = (await discoverAuthorizationServerMetadata("https://gitlab.com", { fetchFn }))!;
  assertEquals(metadata.registration_endpoint, undefined);
  const { status } = await as.fetch("https://gitlab.com/oauth/register", { method: "POST" });
  assertEquals(status, 404);
});
