/** The option demoResource: a small protected API beside the server (RFC 6750, RFC 9728). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createServer } from "../../../src/mod.ts";
import { attribute, byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { tokensOf } from "../tokens/bearer.ts";
import { clients, inWorld, navigationHeaders, sampleKey, type WorldOptions } from "../../world.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";

const url = "https://as.test/resource";
const options: WorldOptions = { demoResource: url, dpop: false };
const metadataUrl = "https://as.test/.well-known/oauth-protected-resource/resource";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const it = testInWorld(options);

it("demo resource: says who calls, with what, and since when", async (world) => {
  const { access_token: token } = await tokensOf(world, { scope: "openid read", resource: url });
  world.clock.advance(60);
  for (const method of ["GET", "POST"]) {
    const response = await world.fetch(new Request(url, { method, headers: bearer(token) }));
    assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
    assertEquals(await response.json(), {
      person: "alice",
      sub: "alice",
      client_id: "public",
      scope: "openid read",
      token_type: "Bearer",
      signed_in_at: "2027-01-15T08:00:00Z",
      issued_at: "2027-01-15T08:00:00Z",
      expires_at: "2027-01-15T09:00:00Z",
    });
  }
  assertEquals(world.journal.at(-1)?.facts.clientId, "public");
});

it("demo resource: a request without a token gets the address of the metadata (RFC 9728 §5.1)", async (world) => {
  const response = await world.get(url);
  assertEquals([response.status, await response.text()], [401, ""]);
  assertEquals(
    response.headers.get("www-authenticate"),
    `Bearer realm="postern", resource_metadata="${metadataUrl}"`,
  );
});

test("demo resource: with dpop.required, no challenge offers Bearer (RFC 9449 §7.2)", () =>
  inWorld({ ...options, dpop: { required: true } }, async (world) => {
    const algs = 'algs="ES256 EdDSA Ed25519 PS256 RS256"';
    const common = `resource_metadata="${metadataUrl}", ${algs}`;
    const challenges = {
      [`DPoP realm="postern", ${common}`]: {},
      [`DPoP realm="postern", error="invalid_token"`]: bearer("x"),
      [`DPoP realm="postern", error="invalid_token", `]: { authorization: "DPoP x" },
    };
    for (const [expected, headers] of Object.entries(challenges)) {
      const given = (await world.get(url, headers)).headers.get("www-authenticate")!;
      assertStringIncludes(given, expected);
      assertEquals(given.includes("Bearer"), false);
    }
    const userinfo = (await world.get("/userinfo")).headers.get("www-authenticate")!;
    assertEquals(userinfo.startsWith("DPoP ") && !userinfo.includes("Bearer"), true, userinfo);
  }));

const html = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

it("demo resource: opened in a browser, it is a page with the same status and challenge (RFC 6750 §3)", async (world) => {
  const forProgram = await world.get(url, html);
  assertEquals(world.lastRefusal()?.reason, "token_missing");
  const response = await world.get(url, navigationHeaders);
  assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
  for (const answer of [forProgram, response]) {
    const challenge = `Bearer realm="postern", resource_metadata="${metadataUrl}"`;
    assertEquals([answer.status, answer.headers.get("www-authenticate")], [401, challenge]);
    assertEquals(answer.headers.get("cache-control"), "no-store");
  }
  assertEquals([await forProgram.text(), world.lastRefusal()], ["", undefined]);

  const document = readHtml(await response.text());
  assertEquals(
    textOf(byId(document, "call")),
    `curl '${url}' \\\n  --header 'Authorization: Bearer <ACCESS_TOKEN>'`,
  );
  assertEquals(textOf(byId(document, "challenge")), response.headers.get("www-authenticate"));
  assertEquals(attribute(byId(document, "metadata"), "href"), new URL(metadataUrl).pathname);
  const start = new URL(attribute(byId(document, "start"), "href")!, url);
  assertEquals(start.searchParams.get("resource"), url);
});

it("demo resource: with a token, a browser gets what a program gets", async (world) => {
  const { access_token: token } = await tokensOf(world, { scope: "read", resource: url });
  assertEquals(
    (await (await world.get(url, { ...bearer(token), ...navigationHeaders })).json()).person,
    "alice",
  );
  const wrong = await world.get(url, { ...bearer("x"), ...navigationHeaders });
  assertEquals([wrong.status, (await wrong.json()).error], [401, "invalid_token"]);
  const posted = await world.fetch(new Request(url, { method: "POST", headers: navigationHeaders }));
  assertEquals([posted.status, await posted.text()], [401, ""]);
});

test("demo resource: with dpop.required, the page shows a call with a proof (RFC 9449 §7.1)", () =>
  inWorld({ ...options, dpop: { required: true } }, async (world) => {
    const document = readHtml(await (await world.get(url, navigationHeaders)).text());
    assertEquals(
      textOf(byId(document, "call")),
      `curl '${url}' \\\n  --header 'Authorization: DPoP <ACCESS_TOKEN>' \\\n  --header 'DPoP: <DPOP_PROOF>'`,
    );
    assertStringIncludes(textOf(byId(document, "challenge")), 'DPoP realm="postern"');
  }));

/** A server on loopback, with its demo client and people of whom one has a password, and one is disabled. */
const local: WorldOptions = {
  issuer: "http://localhost:9000",
  alg: "ES256",
  signingKeys: [sampleKey],
  exposeDemo: true,
  demoResource: "/resource",
  people: [{ username: "alice" }, { username: "carol", password: "secret" }, {
    username: "bob",
    disabled: true,
  }],
};
const site = (name: string) => ({ ...navigationHeaders, "sec-fetch-site": name });

test("demo resource: a button calls it with a new token for a person who signs in with one click", () =>
  inWorld(local, async (world) => {
    const form = readHtml(await (await world.get("/resource", navigationHeaders)).text());
    const options = findAll(byId(form, "person"), "option").map(({ attributes }) => attributes.get("value"));
    assertEquals([options, attribute(byId(form, "trial"), "action")], [["alice"], "/resource/call"]);
    const response = await world.post("/resource/call", { person: "alice" }, site("same-origin"));
    assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
    // The call of the API, and the form that began it.
    const facts = world.journal.slice(1).map(({ facts: { clientId, subject } }) => [clientId, subject]);
    assertEquals(facts, [["demo", "alice"], ["demo", "alice"]]);
    const page = readHtml(await response.text());
    assertStringIncludes(textOf(byId(page, "trial-request")), "authorization: Bearer ey");
    assertStringIncludes(textOf(byId(page, "trial-response")), '"person": "alice"');
  }, {}));

test("demo resource: a page of another site, a person with a password and a program get no token (RFC 9700 §4.7)", () =>
  inWorld(local, async (world) => {
    const post = async (person: string, headers: Record<string, string>) =>
      (await world.post("/resource/call", { person }, headers)).status;
    assertEquals(await post("alice", { ...site("cross-site"), origin: "https://evil.example" }), 403);
    assertEquals(await post("alice", { ...site("same-site"), origin: "http://localhost:3000" }), 403);
    assertEquals(await post("alice", { ...navigationHeaders, origin: "null" }), 303);
    assertEquals(await post("alice", {}), 303);
    assertEquals(await post("carol", site("same-origin")), 303);
    assertEquals(await post("bob", site("same-origin")), 303);
    assertEquals(await post("nobody", site("same-origin")), 303);
    assert(world.journal.every(({ facts }) => facts.subject === undefined));
  }, {}));

const closed: readonly (readonly [name: string, options: WorldOptions])[] = [
  ["the issuer is not on loopback", { ...local, issuer: "https://as.test" }],
  ["the client is configured", { ...local, clients }],
  ["the front page shows no people", { ...local, frontPage: "issuer" }],
  ["every client must prove a key", { ...local, dpop: { required: true } }],
];
for (const [name, options] of closed) {
  test(`demo resource: no button gets a token where ${name}`, () =>
    inWorld(options, async (world) => {
      const page = readHtml(await (await world.get("/resource", navigationHeaders)).text());
      assertEquals(findById(page, "trial"), undefined);
      const post = await world.post("/resource/call", { person: "alice" }, site("same-origin"));
      assertEquals(post.status, 303);
    }, {}));
}

test("demo resource: the metadata names the resource, its server and scopes without offline_access (RFC 9728 §2)", () =>
  inWorld({ ...options, scopes: { read: "Read", offline_access: "Stay" } }, async (world) => {
    const document = await world.get(metadataUrl);
    assertEquals(await document.json(), {
      resource: url,
      authorization_servers: ["https://as.test"],
      scopes_supported: ["read"],
      bearer_methods_supported: ["header", "body"],
    });
    const server = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(server.protected_resources, [url]);
    assert(server.scopes_supported.includes("offline_access"));
  }));

it("demo resource: tokens for another audience, and revoked tokens, get 401", async (world) => {
  const other = await tokensOf(world, { scope: "read", resource: "https://api.test" });
  const own = await tokensOf(world, { scope: "read", resource: url });
  await world.post("/oauth2/revoke", { token: own.access_token, client_id: "public" });
  const refused = [[other.access_token, "token_for_another_audience"], [
    own.access_token,
    "token_ended",
  ], ["x", "token_unknown"]] as const;
  for (const [token, reason] of refused) {
    const response = await world.get(url, bearer(token));
    assertEquals([response.status, (await response.json()).error], [401, "invalid_token"]);
    assertStringIncludes(response.headers.get("www-authenticate")!, `resource_metadata="${metadataUrl}"`);
    assertEquals(world.lastRefusal()?.reason, reason);
  }
});

test("demo resource: it is at the origin of an issuer with a path, and the option may be a path alone", () =>
  inWorld({ issuer: "https://as.test/tenant", demoResource: "/a/b" }, async (world) => {
    const { access_token: token } = await tokensOf(world, { scope: "read", resource: "https://as.test/a/b" });
    assertEquals((await world.get("https://as.test/a/b", bearer(token))).status, 200);
    assertEquals((await world.get("https://as.test/tenant/a/b", bearer(token))).status, 404);
  }));

test("demo resource: configured resources have it as well", () =>
  inWorld({ ...options, resources: ["https://api.test"] }, async (world) => {
    for (const resource of [url, "https://api.test"]) await tokensOf(world, { scope: "read", resource });
  }));

it("demo resource: a page of another site reads it with a token only, and without cookies", async (world) => {
  const preflight = await world.fetch(
    new Request(url, {
      method: "OPTIONS",
      headers: { origin: "https://evil.test", "access-control-request-method": "GET" },
    }),
  );
  assertEquals(preflight.headers.get("access-control-allow-credentials"), null);
  const response = await world.get(url, { origin: "https://evil.test", cookie: "session=x" });
  assertEquals([response.status, response.headers.get("access-control-allow-origin")], [401, "*"]);
  const rebound = await world.fetch(new Request("https://evil.test/resource"));
  assertEquals(rebound.status, 421);
});

test("demo resource: without the option there is none, and a wrong option is refused", async () => {
  await inWorld({}, async (world) => {
    assertEquals((await world.get("/resource")).status, 404);
    const server = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(server.protected_resources, undefined);
  });
  const create = (demoResource: string) => () => createServer({ issuer: "https://as.test", demoResource });
  // A request never has the second and the third spelling of the origin.
  for (
    const elsewhere of [
      "https://api.test/resource",
      "https://AS.test/resource",
      "https://as.test:443/resource",
    ]
  ) {
    await assertCannotCreate(
      create(elsewhere),
      "demoResource must be at the origin of the issuer, such as https://as.test/resource",
    );
  }
  for (const wrong of ["https://as.test", "resource", "/", "/a?b", "/../a"]) {
    await assertCannotCreate(create(wrong), "demoResource must look like");
  }
});

test("demo resource: it never takes an address of the server", async () => {
  const own = ["/oauth2/token", "/connect/register/a", "/health", "/static/a.css", "/.well-known/jwks.json"];
  for (const issuer of ["https://as.test", "https://as.test/a"]) {
    const below = own.map((path) => path.startsWith("/.well-known") ? path : new URL(issuer + path).pathname);
    for (const demoResource of [...below, ...(issuer.endsWith("/a") ? ["/a"] : [])]) {
      await assertCannotCreate(
        () => createServer({ issuer, demoResource, registration: true }),
        `demoResource must be none of the server's own paths, such as https://as.test/resource, not ${demoResource}`,
      );
    }
    // The path of a feature only begins like it.
    const { close } = createServer({
      issuer,
      demoResource: `${new URL(issuer + "/x").pathname}/oauth2/tokens`,
    });
    await close();
  }
  const moved = () => createServer({ paths: "navikt", demoResource: "/isalive" });
  await assertCannotCreate(moved, "demoResource must be none of the server's own paths");
});
