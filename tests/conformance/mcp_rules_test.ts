/**
 * What an authorization server owes MCP clients (MCP authorization 2026-07-28), at a server without configuration. The
 * rules for the API are in tests/mock/resources and tests/portable/clients/mcp_test.ts.
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { readTokens, refresh } from "../tokens/bearer.ts";
import { callbackParams, inWorld, redirectUri, verifier, withoutClients } from "../world.ts";

const api = "https://api.test/mcp";
const metadataPaths = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

test("mcp: both metadata documents announce S256, the code flow, and public and confidential clients", () =>
  withoutClients({}, async (world) => {
    for (const path of metadataPaths) {
      const metadata = await (await world.get(path)).json();
      assertEquals(metadata.issuer, world.issuer);
      assertEquals(metadata.code_challenge_methods_supported, ["S256"]);
      assert(metadata.response_types_supported.includes("code"));
      assert(metadata.grant_types_supported.includes("client_credentials"));
      const methods: readonly string[] = metadata.token_endpoint_auth_methods_supported;
      for (const method of ["none", "client_secret_basic", "private_key_jwt"]) {
        assert(methods.includes(method));
      }
      assert(metadata.token_endpoint_auth_signing_alg_values_supported.includes("ES256"));
    }
  }));

test("mcp: a server with an https issuer has all its endpoints on https", () =>
  inWorld({}, async (world) => {
    for (const path of metadataPaths) {
      const metadata: Readonly<Record<string, unknown>> = await (await world.get(path)).json();
      const urls = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
      assert(urls.length > 5);
      for (const [name, url] of urls) assertEquals([name, String(url).slice(0, 8)], [name, "https://"]);
    }
  }));

test("mcp: iss is announced, and is in success and error responses", () =>
  withoutClients({}, async (world) => {
    const metadata = await (await world.get(metadataPaths[0]!)).json();
    assertEquals(metadata.authorization_response_iss_parameter_supported, true);
    const local = { redirect_uri: "http://localhost:3000/callback", client_id: "mcp-client" };
    for (const changed of [{}, { scope: '"' }]) {
      const answer = callbackParams(await world.authorize({ ...local, ...changed }));
      assertEquals([answer.has("code"), answer.get("iss")], [!("scope" in changed), world.issuer]);
    }
  }));

test("mcp: client documents and registration are announced on loopback", () =>
  withoutClients({}, async (world) => {
    for (const path of metadataPaths) {
      const metadata = await (await world.get(path)).json();
      assertEquals(metadata.client_id_metadata_document_supported, true);
      assertEquals(metadata.registration_endpoint, `${world.issuer}/connect/register`);
    }
    for (const host of ["localhost", "127.0.0.1"]) {
      const registration = {
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: [`http://${host}:3000/callback`],
      };
      const response = await world.fetch(
        new Request(`${world.issuer}/connect/register`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(registration),
        }),
      );
      const { application_type, redirect_uris } = await response.json();
      assertEquals([response.status, application_type], [201, "native"]);
      assertEquals(redirect_uris, registration.redirect_uris);
    }
  }));

test("mcp: a redirect URI is compared exactly, and a wrong one never gets the answer", () =>
  inWorld({}, async (world) => {
    const wrong = [
      `${redirectUri}/`,
      `${redirectUri}?x=1`,
      redirectUri.toUpperCase(),
      redirectUri.replace("https:", "http:"),
      "https://evil.test/cb",
    ];
    for (const each of wrong) {
      const response = await world.authorize({ redirect_uri: each });
      assertEquals([each, response.status, response.headers.get("location")], [each, 400, null]);
    }
  }));

test("mcp: the refresh token of a public client rotates, and an old one ends the grant", () =>
  inWorld({}, async (world) => {
    const first = await readTokens(
      await world.redeem(await world.code({ resource: api }), { resource: api }),
    );
    const second = await readTokens(await refresh(world, first.refresh_token, { resource: api }));
    assert(second.refresh_token !== first.refresh_token);
    assertEquals((await refresh(world, first.refresh_token)).status, 400);
    assertEquals((await refresh(world, second.refresh_token)).status, 400);
  }));

test("mcp: resource is taken at authorize, token and refresh, and becomes the audience", () =>
  inWorld({}, async (world) => {
    const audienceOf = (token: string) => JSON.parse(atob(token.split(".")[1]!)).aud;
    for (const resource of [api, `${api}/`, "https://api.test", "https://api.test/"]) {
      const tokens = await readTokens(await world.redeem(await world.code({ resource }), { resource }));
      assertEquals(audienceOf(tokens.access_token), resource);
      const refreshed = await readTokens(await refresh(world, tokens.refresh_token, { resource }));
      assertEquals(audienceOf(refreshed.access_token), resource);
    }
    const code = await world.code({ resource: api });
    const other = await world.redeem(code, { resource: "https://other.test" });
    assertEquals((await other.json()).error, "invalid_target");
  }));

test("mcp: a step-up with more scope gets a token, and leaves the earlier grant alone", () =>
  inWorld({}, async (world) => {
    const redeem = async (scope: string) =>
      await readTokens(
        await world.redeem(await world.code({ scope, resource: api }), { code_verifier: verifier }),
      );
    const first = await redeem("read");
    const second = await redeem("read write");
    assertEquals([first.scope, second.scope], ["read", "read write"]);
    assertEquals((await refresh(world, first.refresh_token)).status, 200);
  }));
