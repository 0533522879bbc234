/** as.resource: the metadata of an API, and how the challenge names it (RFC 9728). */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import * as oauth from "oauth4webapi";
import { createMock, type ResourceTerms } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const url = "https://api.test/mcp";
const wellKnown = "/.well-known/oauth-protected-resource";

const it = testUsing(() => createMock({ alg: "ES256" }));

it("resource: the metadata is between host and path, and names the resource and its issuer (RFC 9728 §2, §3)", async (as) => {
  const api = as.resource(url, { scopes: ["read", "write"] });
  assertEquals(api.metadataUrl, `https://api.test${wellKnown}/mcp`);
  const response = await as.fetch(api.metadataUrl!);
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
  assertEquals(await response.json(), {
    resource: url,
    authorization_servers: [as.issuer],
    scopes_supported: ["read", "write"],
    bearer_methods_supported: ["header"],
  });
  const head = await api.fetch(api.metadataUrl!, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
});

it("resource: a foreign client finds the metadata and the authorization server in it (RFC 9728 §3)", async (as) => {
  for (const identifier of ["https://api.test", "https://two.test/", "https://three.test/a/b"]) {
    as.resource(identifier);
    const options = { [oauth.customFetch]: as.fetch };
    const resource = new URL(identifier);
    const response = await oauth.resourceDiscoveryRequest(resource, options);
    const found = await response.json();
    assertEquals(found.resource, identifier);
    const issuer = new URL(found.authorization_servers[0]);
    const discovery = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    assertEquals(server.issuer, as.issuer);
  }
});

it("resource: an API without a path has no metadata below the well-known path, so a client looks further", async (as) => {
  const api = as.resource("https://api.test");
  const statuses = [wellKnown, `${wellKnown}/mcp`, "/mcp"].map(async (path) =>
    (await api.fetch(`https://api.test${path}`)).status
  );
  assertEquals(await Promise.all(statuses), [200, 404, 401]);
});

it("resource: a member without values is left out of the metadata (RFC 9728 §3.2)", async (as) => {
  const api = as.resource(url, { scopes: [], authorizationServers: [] });
  const document = await (await api.fetch(api.metadataUrl!)).json();
  assertEquals(document, { resource: url, bearer_methods_supported: ["header"] });
});

it("resource: the metadata is at the path, at the root, at another address or nowhere", async (as) => {
  const api = as.resource(url);
  const custom = new URL("https://api.test/custom/metadata.json");
  const rows: readonly (readonly [ResourceTerms["metadata"], string | undefined])[] = [
    ["path", `https://api.test${wellKnown}/mcp`],
    ["root", `https://api.test${wellKnown}`],
    [custom, custom.href],
    [false, undefined],
    [undefined, `https://api.test${wellKnown}/mcp`],
  ];
  for (const [metadata, expected] of rows) {
    api.change({ metadata });
    assertEquals(api.metadataUrl, expected);
    const candidates = [`https://api.test${wellKnown}/mcp`, `https://api.test${wellKnown}`, custom.href];
    for (const candidate of candidates) {
      const { status } = await as.fetch(candidate);
      assertEquals([candidate, status], [candidate, candidate === expected ? 200 : 404]);
    }
    const challenge = (await as.fetch(url)).headers.get("www-authenticate")!;
    assertEquals(challenge.includes("resource_metadata="), expected !== undefined);
    if (expected !== undefined) assert(challenge.includes(`resource_metadata="${expected}"`));
  }
  assertThrows(
    () => api.change({ metadata: new URL("https://other.test/metadata") }),
    TypeError,
    'Cannot change the resource https://api.test/mcp: expected metadata to be "path", "root", false or a URL of ' +
      "https://api.test, but got https://other.test/metadata",
  );
});

test("resource: a request without a token gets a challenge with the metadata and the scope (RFC 9728 §5.1)", async () => {
  await using as = await createMock({ alg: "ES256", dpop: false });
  const api = as.resource(url, { scope: "read" });
  const response = await as.fetch(url);
  assertEquals([response.status, await response.text()], [401, ""]);
  const challenge = () => as.fetch(url).then(({ headers }) => headers.get("www-authenticate"));
  const metadata = `resource_metadata="${api.metadataUrl}"`;
  assertEquals(await challenge(), `Bearer realm="${url}", scope="read", ${metadata}`);
  api.change({ challenge: { metadata: false, realm: "orders" } });
  assertEquals(await challenge(), 'Bearer realm="orders", scope="read"');
  api.change({ challenge: { scope: false } });
  assertEquals(await challenge(), `Bearer realm="${url}", ${metadata}`);
  api.change({ challenge: false });
  assertEquals(await challenge(), null);
  api.change({ challenge: undefined, scope: undefined });
  assertEquals(await challenge(), `Bearer realm="${url}", ${metadata}`);
});

it("resource: the metadata can name another resource, and members of a test", async (as) => {
  const api = as.resource(url, {
    document: {
      resource: "https://other.test/mcp",
      resource_name: "Orders",
      bearer_methods_supported: undefined,
    },
  });
  const response = await as.fetch(api.metadataUrl!);
  assertEquals(await response.json(), {
    resource: "https://other.test/mcp",
    authorization_servers: [as.issuer],
    resource_name: "Orders",
  });
});

it("resource: the metadata says how the API uses DPoP (RFC 9728 §2)", async (as) => {
  const api = as.resource(url, { dpop: { required: true } });
  const document = await (await as.fetch(api.metadataUrl!)).json();
  assertEquals(document.dpop_bound_access_tokens_required, true);
  assert(document.dpop_signing_alg_values_supported.includes("ES256"));
  assertMatch((await as.fetch(url)).headers.get("www-authenticate")!, /^DPoP /);
});

it("resource: a script of any origin reads the metadata, the challenge and the answer (CORS)", async (as) => {
  const api = as.resource(url);
  for (const address of [url, api.metadataUrl!]) {
    const headers = {
      origin: "https://app.test",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,mcp-protocol-version",
    };
    const preflight = await as.fetch(address, { method: "OPTIONS", headers });
    assertEquals(preflight.status, 204);
    assertMatch(
      preflight.headers.get("access-control-allow-headers")!,
      /authorization.*mcp-protocol-version/,
    );
    const { headers: answered } = await as.fetch(address);
    assertEquals(answered.get("access-control-allow-origin"), "*");
    assertEquals(answered.get("access-control-allow-credentials"), null);
    assertMatch(answered.get("access-control-expose-headers")!, /www-authenticate/);
  }
  const refused = await as.fetch(api.metadataUrl!, { method: "POST" });
  // RFC 9110 §15.5.6
  assertEquals([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
});

test("resource: wrong URLs and terms are refused with what is expected", async () => {
  await using as = await createMock({ alg: "ES256", resources: [url] });
  const wrong: readonly unknown[] = [
    ...["api.test", "ftp://api.test", "https://api.test/?x=1", "https://api.test/#a", "//api.test", ""],
    ...["https://user@api.test/", undefined, 5],
  ];
  const noUrl = "Cannot create a resource: expected the URL of an API";
  for (const each of wrong) assertThrows(() => as.resource(each as string), TypeError, noUrl);
  const start = `Cannot create the resource ${url}: `;
  const other = "https://other.test";
  const attempts: readonly (readonly [attempt: () => unknown, message: string])[] = [
    [() => as.resource(url, { scops: [] } as object), `${start}scops is not known`],
    [() => as.resource(url, { rules: [{ scop: "x" }] } as object), `${start}rules[0].scop`],
    [() => as.resource(url, { maxAge: -1 }), `${start}expected a duration of 0 or more`],
    [
      () => as.resource(other),
      `Cannot create the resource ${other}: the server issues tokens for ${url} only`,
    ],
    [() => as.tenant("other").resource("/"), "its origin is that of the issuer, so it needs a path"],
  ];
  for (const [attempt, message] of attempts) assertThrows(attempt, TypeError, message);
  as.resource(url);
  assertThrows(() => as.resource(url), TypeError, `${start}it exists already`);
  const known = "answers for https://as.test and https://api.test only";
  await assertRejects(() => as.fetch(other), TypeError, known);
});

it("resource: an API hides no endpoint of a server, and a later tenant none of its own", (as) => {
  as.tenant("acme");
  const origin = as.issuer;
  const taken = {
    "/oauth2/token": "/oauth2/token",
    "/oauth2": "/oauth2/",
    "/connect": "/connect/",
    "/.well-known": "/.well-known/",
    "/static": "/static",
    "/acme": "/acme/",
    "/acme/userinfo": "/acme/userinfo",
  };
  for (const [path, endpoint] of Object.entries(taken)) {
    const message =
      `Cannot create the resource ${origin}${path}: the authorization server answers at ${endpoint}`;
    for (const given of [path, origin + path]) assertThrows(() => as.resource(given), TypeError, message);
  }
  const metadata = new URL(`${origin}/oauth2/jwks`);
  const hidden = `the authorization server answers at ${metadata}`;
  assertThrows(() => as.resource("/orders", { metadata }), TypeError, hidden);
  const api = as.resource("/orders");
  assertThrows(() => api.change({ metadata }), TypeError, `Cannot change the resource ${api.url}: ${hidden}`);
  as.tenant("acme").resource("/acme/orders");
  assertEquals(as.tenant("acme").issuer, `${origin}/acme`);
  assertThrows(() => as.tenant("orders"), TypeError, `the resource ${api.url} answers at the paths`);
  api[Symbol.dispose]();
  assertEquals(as.tenant("orders").issuer, `${origin}/orders`);
  // Another origin has no endpoints of a server.
  for (const path of ["/oauth2", "/shop"]) as.resource(`https://api.test${path}`);
  as.resource("https://api.test/orders", { metadata: new URL("https://api.test/oauth2/jwks") });
  assertEquals(as.tenant("shop").issuer, `${origin}/shop`);
});

test("resource: no request creates an issuer whose endpoints an API hides", async () => {
  await using as = await createMock({ alg: "ES256", paths: "navikt" });
  const { origin } = new URL(as.issuer);
  as.resource("/orders");
  assertThrows(() => as.resource("/default"), TypeError, "the authorization server answers at /default/");
  const statusOf = async (path: string) => (await as.fetch(origin + path)).status;
  const metadataOf = (name: string) => `/.well-known/oauth-authorization-server/${name}`;
  assertEquals([await statusOf(metadataOf("orders")), await statusOf(metadataOf("shop"))], [404, 200]);
  assertEquals(as.tenants, ["shop"]);
});
