/** The client of the MCP SDK at an API of the test: how it finds the server, asks for scopes, steps up and refreshes. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createMock,
  type Mock,
  type MockOptions,
  type Resource,
  type ResourceTerms,
} from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { callGreet, greeter, redirectUri, type Saved } from "../portable/clients/mcp_client.ts";

const url = "https://api.test/mcp";
const wellKnown = "/.well-known/oauth-protected-resource";

interface Scene {
  readonly as: Mock;
  readonly api: Resource;
  readonly saved: Saved;
  readonly greet: () => Promise<string>;
}

/** Without refresh tokens, because the SDK answers a step-up with a refresh, which cannot add a scope. */
const options: MockOptions = {
  alg: "ES256",
  clients: [{ client_id: "mcp-client", redirect_uris: [redirectUri], grant_types: ["authorization_code"] }],
};

async function scene(terms: ResourceTerms, work: (scene: Scene) => Promise<void>, changes: MockOptions = {}) {
  await using as = await createMock({ ...options, ...changes });
  const api = as.resource(url, terms, greeter);
  const saved: Saved = { client: { client_id: "mcp-client" }, verifier: "" };
  await work({ as, api, saved, greet: () => callGreet({ as, url, saved }) });
}

const pathsOf = (
  api: Resource,
) => [...new Set(api.requests.filter(({ path }) => path !== "/mcp").map(({ path }) => path))];

test("mcp client: finds the server by the metadata in the challenge (RFC 9728 §2, §5.1)", () =>
  scene({}, async ({ as, api, greet }) => {
    assertEquals(await greet(), "Hello bob");
    assertEquals(pathsOf(api), [`${wellKnown}/mcp`]);
    const { authorize, token } = as.requests;
    assertEquals([authorize.last?.resource, token.last?.resource], [[url], [url]]);
    assertEquals(authorize.last?.pkce, "S256");
  }));

test("mcp client: finds the metadata that the challenge does not name", () =>
  scene({ challenge: { metadata: false } }, async ({ api, greet }) => {
    assertEquals(await greet(), "Hello bob");
    assertEquals(pathsOf(api), [`${wellKnown}/mcp`]);
  }));

test("mcp client: finds the metadata at the root, and a tenant as its issuer", async () => {
  await using as = await createMock(options);
  const authorizationServers = [as.tenant("acme")];
  const terms: ResourceTerms = { metadata: "root", challenge: { metadata: false }, authorizationServers };
  const api = as.resource(url, terms, greeter);
  const saved: Saved = { client: { client_id: "mcp-client" }, verifier: "" };
  assertEquals(await callGreet({ as, url, saved }), "Hello bob");
  assertEquals(pathsOf(api), [`${wellKnown}/mcp`, wellKnown]);
  assertEquals(as.requests.token.length, 0);
  assertEquals(as.tenant("acme").requests.token.length, 1);
});

test("mcp client: finds the metadata at a custom address in the challenge", () =>
  scene({ metadata: new URL("https://api.test/custom/metadata") }, async ({ api, greet }) => {
    assertEquals(await greet(), "Hello bob");
    assertEquals(pathsOf(api), ["/custom/metadata"]);
  }));

test("mcp client: without metadata, takes the origin of the API as the issuer (MCP 2025-03-26)", async () => {
  await using as = await createMock(options);
  const api = as.resource("/mcp", { metadata: false }, greeter);
  const saved: Saved = { client: { client_id: "mcp-client" }, verifier: "" };
  // An older client sends no `resource`, so the token is for the issuer.
  await assertRejects(() => callGreet({ as, url: api.url, saved }), Error);
  assertEquals(api.requests.last?.refusal?.reason, "token_for_another_audience");
  assertEquals(as.requests.token.last?.status, 200);
});

const scopeRows:
  readonly (readonly [name: string, terms: ResourceTerms, asked: readonly string[] | undefined])[] = [
    ["of the challenge", { scope: "read", scopes: ["other"] }, ["read"]],
    ["of the metadata, if the challenge has none", { scopes: ["one", "two"] }, ["one", "two"]],
    ["of nobody, if neither has one", {}, undefined],
  ];
for (const [name, terms, asked] of scopeRows) {
  test(`mcp client: asks for the scope ${name} (RFC 9728 §5.1)`, () =>
    scene(terms, async ({ as, greet }) => {
      assertEquals(await greet(), "Hello bob");
      const { query } = as.requests.authorize.first!.raw().request;
      assertEquals(new URLSearchParams(query).get("scope")?.split(" "), asked && [...asked]);
    }));
}

test("mcp client: steps up when a tool needs another scope", () =>
  scene({ scope: "read", rules: [{ tool: "greet", scope: "greet" }] }, async ({ as, api, saved, greet }) => {
    assertEquals(await greet(), "Hello bob");
    assertEquals(as.requests.authorize.map(({ scope }) => scope), [["read"], ["read", "greet"]]);
    assertEquals(api.requests.find(({ status }) => status === 403)?.rpc, ["tools/call greet"]);
    assertEquals(saved.tokens?.scope, "read greet");
  }));

test("mcp client: a challenge with the missing scope alone shows whether the client keeps the scopes it had", () =>
  scene(
    { scope: "read", rules: [{ tool: "greet", scope: "greet" }], challenge: { scope: "missing" } },
    async ({ as, api, greet }) => {
      // SDK 1 asks for the new scope only, so the next call lacks the old one.
      await assertRejects(greet, Error);
      assertEquals(as.requests.authorize.map(({ scope }) => scope).slice(0, 3), [["read"], ["greet"], [
        "read",
      ]]);
      assert(api.requests.some(({ refusal }) => refusal?.reason === "token_lacks_scope"));
    },
  ));

test("mcp client: gives up when the API refuses every token", () =>
  scene({ rules: [{ tool: "greet", scope: "greet", refuse: true }] }, async ({ api, greet }) => {
    await assertRejects(greet, Error);
    const refused = api.requests.filter(({ status }) => status === 403);
    assert(refused.length < 5, `${refused.length} attempts`);
  }, { clients: [{ client_id: "mcp-client", redirect_uris: [redirectUri] }] }));

test("mcp client: refuses metadata of another resource (RFC 9728 §3.3)", () =>
  scene({ document: { resource: "https://other.test/mcp" } }, async ({ as, greet }) => {
    await assertRejects(greet, Error, "other.test");
    assertEquals(as.requests.authorize.length, 0);
  }));

test("mcp client: refreshes with the resource, and a public client's refresh token rotates", () =>
  scene({}, async ({ as, saved, greet }) => {
    await greet();
    const first = saved.tokens!.refresh_token;
    as.clock.advance("2h");
    assertEquals(await greet(), "Hello bob");
    const { last } = as.requests.token;
    assertEquals([last?.grantType, last?.resource, last?.status], ["refresh_token", [url], 200]);
    assert(saved.tokens!.refresh_token !== first);
    assertEquals(as.requests.authorize.length, 1);
  }, { clients: [{ client_id: "mcp-client", redirect_uris: [redirectUri] }] }));

test("mcp client: follows the API from one authorization server to another, with other credentials", async () => {
  await using as = await createMock({ ...options, clients: [] });
  const [one, two] = ["one", "two"].map((name) =>
    as.tenant(name, { clients: [{ client_id: `client-of-${name}`, redirect_uris: [redirectUri] }] })
  );
  const api = as.resource(url, { authorizationServers: [one!] }, greeter);
  const saved: Saved = { client: { client_id: "client-of-one", issuer: one!.issuer }, verifier: "" };
  assertEquals(await callGreet({ as, url, saved }), "Hello bob");
  api.change({ authorizationServers: [two!] });
  saved.client = { client_id: "client-of-two", issuer: two!.issuer };
  assertEquals(await callGreet({ as, url, saved }), "Hello bob");
  // The client must not send the first server's credentials to the second one.
  assertEquals([...new Set(two!.requests.map(({ clientId }) => clientId))].filter(Boolean), [
    "client-of-two",
  ]);
  assertEquals(two!.requests.token.map(({ grantType }) => grantType), ["authorization_code"]);
});
