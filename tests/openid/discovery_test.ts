/** OpenID Connect Discovery: the addresses of the metadata and their content. */

import { assert, assertEquals } from "@std/assert";
import { createServer } from "../../src/mod.ts";
import { test } from "./test_in_openid.ts";
import { sampleKey } from "../world.ts";
import { ask, inOpenId, screenOf, signIn, userinfoOf } from "./openid_world.ts";

type Metadata = Readonly<Record<string, unknown>>;

/** Vectors §7, with issuers that end with a slash, which Discovery §4.1 removes. */
const places: readonly (readonly [issuer: string, paths: readonly string[]])[] = [
  ["https://example.com", ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]],
  ["https://example.com/issuer1", [
    "/issuer1/.well-known/openid-configuration",
    "/.well-known/openid-configuration/issuer1",
    "/.well-known/oauth-authorization-server/issuer1",
  ]],
  ["https://example.com/issuer1/", [
    "/issuer1/.well-known/openid-configuration",
    "/.well-known/openid-configuration/issuer1",
    "/.well-known/oauth-authorization-server/issuer1",
  ]],
  ["https://auth.example.com/tenant1", [
    "/.well-known/oauth-authorization-server/tenant1",
    "/.well-known/openid-configuration/tenant1",
    "/tenant1/.well-known/openid-configuration",
  ]],
  ["http://localhost:9000/a/b", [
    "/a/b/.well-known/openid-configuration",
    "/.well-known/openid-configuration/a/b",
    "/.well-known/oauth-authorization-server/a/b",
  ]],
];

for (const [issuer, paths] of places) {
  test(`discovery: ${issuer} has the same metadata at ${paths.length} addresses (OpenID Connect Discovery §4)`, async () => {
    const server = createServer({ issuer, exposeDemo: true, alg: "ES256", signingKeys: [sampleKey] });
    const documents: string[] = [];
    for (const path of paths) {
      const response = await server.fetch(new Request(new URL(path, issuer)));
      assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"], path);
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      documents.push(await response.text());
    }
    assertEquals(new Set(documents).size, 1);
    assertEquals((JSON.parse(documents[0]!) as Metadata)["issuer"], issuer);
    await server.close();
  });
}

test("discovery: an issuer with a path has no metadata at the addresses of one without a path (OpenID Connect Discovery §4)", async () => {
  const server = createServer({
    issuer: "https://example.com/issuer1",
    exposeDemo: true,
    alg: "ES256",
    signingKeys: [sampleKey],
  });
  for (
    const path of ["/.well-known/openid-configuration", "/issuer1/.well-known/oauth-authorization-server"]
  ) {
    assertEquals((await server.fetch(new Request(`https://example.com${path}`))).status, 404, path);
  }
  await server.close();
});

test("discovery: an unconfigured server has what Discovery requires (OpenID Connect Discovery §3)", async () => {
  const server = createServer({ issuer: "https://as.test" });
  const response = await server.fetch(new Request("https://as.test/.well-known/openid-configuration"));
  const metadata: Metadata = await response.json();
  const list = (name: string) => metadata[name] as readonly string[];
  for (
    const name of [
      "authorization_endpoint",
      "token_endpoint",
      "userinfo_endpoint",
      "jwks_uri",
      "end_session_endpoint",
    ]
  ) assert(String(metadata[name]).startsWith("https://as.test/"), name);
  assertEquals(list("response_types_supported"), ["code"]);
  assertEquals(list("subject_types_supported"), ["public", "pairwise"]);
  assert(list("id_token_signing_alg_values_supported").includes("RS256"));
  for (const scope of ["openid", "profile", "email", "address", "phone", "offline_access"]) {
    assert(list("scopes_supported").includes(scope), scope);
  }
  assertEquals(list("prompt_values_supported"), ["none", "login", "consent", "select_account"]);
  assertEquals(metadata["request_uri_parameter_supported"], false);
  assertEquals(metadata["request_parameter_supported"], true);
  assert(metadata["require_request_uri_registration"] !== true);
  assertEquals(metadata["claims_parameter_supported"], true);
  assertEquals(metadata["backchannel_logout_supported"], true);
  assertEquals(metadata["backchannel_logout_session_supported"], true);
  assert(metadata["frontchannel_logout_supported"] !== true);
  await server.close();
});

test("discovery: every advertised scope works, also with configured scopes (OpenID Connect Discovery §3)", () =>
  inOpenId({ scopes: { read: "Read things" } }, async (world, browser) => {
    const metadata: Metadata = await (await world.get("/.well-known/openid-configuration")).json();
    for (const scope of metadata["scopes_supported"] as readonly string[]) {
      assertEquals(screenOf(await ask(world, browser, { scope })), "sign_in", scope);
    }
  }));

test("discovery: every claim that userinfo returns is advertised (OpenID Connect Discovery §3)", async ({ world, browser }) => {
  const metadata: Metadata = await (await world.get("/.well-known/openid-configuration")).json();
  const { access_token } = await signIn(world, browser, "alice", { scope: "openid profile email" });
  const known = new Set(metadata["claims_supported"] as readonly string[]);
  for (const name of Object.keys(await (await userinfoOf(world, access_token)).json())) {
    assert(known.has(name), name);
  }
});
