/** as.resource: which requests the API accepts, who answers for its origin, and what it records. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { createMock, type Resource } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const url = "https://api.test/mcp";

function ask(token: string, init: RequestInit = {}): [string, RequestInit] {
  return [url, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }];
}

async function statusOf(api: Resource, token: string, init?: RequestInit): Promise<number> {
  return (await api.fetch(...ask(token, init))).status;
}

const it = testUsing(() => createMock({ alg: "ES256" }));

it("resource: a login for the resource opens the API, which says who calls", async (as) => {
  const api = as.resource(url, { scope: "read" });
  const { access_token: token } = await as.login("bob", { scope: "read", resource: api.url });
  const response = await as.fetch(...ask(token));
  assertEquals(response.status, 200);
  const claims = await response.json();
  assertEquals([claims.sub, claims.aud, claims.scope], ["bob", url, "read"]);
  const refreshed = await as.login("bob", { scope: "read offline_access", resource: api.url });
  const { access_token: second } = await as.refresh(refreshed, { resource: api.url });
  assertEquals(await statusOf(api, second), 200);
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`resource: a token for another audience gets 401 (RFC 9068 §4) (${accessTokens})`, async () => {
    await using as = await createMock({ alg: "ES256", accessTokens, dpop: false });
    const api = as.resource(url);
    const response = await as.fetch(...ask(await as.mint({ resource: "https://other.test" })));
    const words = `error_description="The token is not for ${url}, but for https://other.test"`;
    assertEquals(response.status, 401);
    assertStringIncludes(response.headers.get("www-authenticate")!, `error="invalid_token", ${words}`);
    assertEquals(api.requests.last?.refusal?.reason, "token_for_another_audience");
    assertEquals(await statusOf(api, await as.mint({ resource: url })), 200);
  });
}

it("resource: a URL without a path is accepted as aud with and without the slash", async (as) => {
  for (const identifier of ["https://one.test", "https://two.test/"]) {
    const api = as.resource(identifier);
    for (const resource of [identifier.replace(/\/$/, ""), `${identifier.replace(/\/$/, "")}/`]) {
      const headers = { authorization: `Bearer ${await as.mint({ resource })}` };
      assertEquals((await api.fetch(`${identifier}/orders`, { headers })).status, 200);
    }
  }
  const headers = { authorization: `Bearer ${await as.mint({ resource: "https://other.test" })}` };
  const refused = await as.fetch("https://one.test/orders", { headers });
  assertStringIncludes(refused.headers.get("www-authenticate")!, "is not for https://one.test, but for");
  // A path is another resource with a slash than without.
  const api = as.resource(url);
  assertEquals(await statusOf(api, await as.mint({ resource: `${url}/` })), 401);
});

it("resource: the handler gets the request and the claims, and paths outside get 404", async (as) => {
  const api = as.resource(url, {}, async (request, claims) => {
    const body = await request.text();
    return new Response(`${request.method} ${new URL(request.url).pathname} ${body} ${claims.sub}`, {
      status: 201,
      headers: { "x-own": "1" },
    });
  });
  const token = await as.mint({ person: "bob", resource: url });
  const headers = { authorization: `Bearer ${token}` };
  const response = await as.fetch(`${url}/orders?x=1`, { method: "POST", headers, body: "{}" });
  assertEquals([response.status, response.headers.get("x-own")], [201, "1"]);
  assertEquals(await response.text(), "POST /mcp/orders {} bob");
  for (const path of ["/", "/mcpx", "/other"]) {
    assertEquals((await as.fetch(`https://api.test${path}`, { headers })).status, 404);
  }
  assertEquals(api.requests.map(({ path, status }) => `${path} ${status}`), [
    "/mcp/orders 201",
    ...["/ 404", "/mcpx 404", "/other 404"],
  ]);
});

it("resource: guard returns the claims, or the response to send", async (as) => {
  const api = as.resource(url, { scope: "read" });
  const claims = await api.guard(new Request(...ask(await as.mint({ resource: url, scope: "read" }))));
  assert(!(claims instanceof Response));
  assertEquals(claims["scope"], "read");
  const refusal = await api.guard(new Request(url));
  assert(refusal instanceof Response);
  assertEquals(refusal.status, 401);
  const metadata = await api.guard(new Request(api.metadataUrl!));
  assert(metadata instanceof Response);
  assertEquals((await metadata.json()).resource, url);
  assertEquals(api.requests.map(({ status }) => status), [undefined, 401, 200]);
  const [accepted] = api.requests;
  assertEquals("status" in accepted!, false);
  const timeline = as.timeline("text").split("\n");
  assertMatch(timeline[0]!, / → accepted as alice$/);
  assertEquals(JSON.parse(as.timeline("har")).log.entries[0].response.status, 0);
  const text = url as unknown as Request;
  await assertRejects(() => api.guard(text), TypeError, "expected the Request to the API");
});

it("resource: requests are recorded without secrets, and the timeline and explain() have them", async (as) => {
  const api = as.resource(url, { scope: "write" });
  const { access_token: token } = await as.login("bob", { scope: "read", resource: url });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "greet" } });
  await as.fetch(...ask(token, { method: "POST", body, headers: { "content-type": "application/json" } }));
  const { last } = api.requests;
  assertEquals(
    [last?.endpoint, last?.api, last?.rpc, last?.status, last?.person, last?.scope, last?.refusal?.reason],
    ["resource", url, ["tools/call greet"], 403, "bob", ["read"], "token_lacks_scope"],
  );
  assertEquals(last?.flow, as.requests.token.last?.flow);
  for (const form of ["text", "jsonl", "har", "mermaid"] as const) {
    const written = as.timeline(form);
    assert(!written.includes(token));
    assertStringIncludes(written, form === "jsonl" || form === "har" ? url : `POST ${url}`);
  }
  const refusal = "insufficient_scope (token_lacks_scope): The token lacks the scope write";
  assertStringIncludes(as.explain()!, refusal);
  assertEquals(as.requests.some(({ path }) => path === "/mcp"), false);
  api.requests.clear();
  assertEquals(api.requests.length, 0);
});

test("resource: the option journal hears of requests to APIs, and its errors change nothing", async () => {
  const heard: string[] = [];
  await using as = await createMock({
    alg: "ES256",
    journal({ request: { path }, response: { status }, facts: { subject } }) {
      heard.push(`${path} ${status} ${subject}`);
      throw new Error("an error of the journal");
    },
  });
  const api = as.resource(url);
  const guarded = await api.guard(new Request(...ask(await as.mint({ person: "bob", resource: url }))));
  assert(!(guarded instanceof Response));
  assertEquals((await as.fetch(url)).status, 401);
  assertEquals(heard, ["/mcp 0 bob", "/mcp 401 undefined"]);
});

it("resource: reset restores the terms and clears the requests; disposing removes the API", async (as) => {
  const api = as.resource(url, { scope: "read" });
  const other = as.resource("https://other.test/");
  await as.fetch(other.url);
  api.change({ scope: "write" });
  const next = api.requests.next();
  await as.fetch(url);
  assertEquals((await next).status, 401);
  const waiting = api.requests.next();
  as.reset();
  await assertRejects(() => waiting, Error, "the mock was reset");
  assertEquals([api.requests.length, other.requests.length], [0, 0]);
  assertStringIncludes((await as.fetch(url)).headers.get("www-authenticate")!, 'scope="read"');
  other[Symbol.dispose]();
  api[Symbol.dispose]();
  await assertRejects(() => as.fetch(url), TypeError, "answers for https://as.test only");
  as.resource(url);
  await as.close();
  await assertRejects(() => api.fetch(url), Error, "disposed of");
  assertThrows(() => as.resource("https://two.test"), Error, "disposed of");
});

test("resource: intercept answers for the API, also for one that is created later", async () => {
  const original = globalThis.fetch;
  await using as = await createMock({ alg: "ES256", issuer: "https://as-of-resource.test" });
  using _ = as.intercept();
  const late = "https://late-api.test/";
  const api = as.resource(late);
  assertEquals((await fetch(late)).status, 401);
  as.resource(`${late}neighbour`);
  assertEquals((await fetch(`${as.issuer}/oauth2/jwks`)).status, 200);
  await using other = await createMock({ alg: "ES256", issuer: "https://other-as.test" });
  other.intercept();
  for (const add of [() => other.resource(late), () => other.route(`GET ${late}x`, () => new Response())]) {
    assertThrows(add, Error, `Cannot intercept https://late-api.test: another mock`);
  }
  await other.close();
  api[Symbol.dispose]();
  _[Symbol.dispose]();
  assertEquals(globalThis.fetch, original);
});

it("resource: a path is an API at the origin of the issuer, also on its port", async (as) => {
  const api = as.resource(
    "/mcp",
    {},
    async (request, { sub }) => new Response(`${sub} ${await request.text()}`),
  );
  assertEquals(api.url, `${as.issuer}/mcp`);
  assertEquals((await as.fetch(api.url)).status, 401);
  const statusOf = async (address: string, init?: RequestInit) => {
    const response = await fetch(address, init);
    await response.body?.cancel();
    return response.status;
  };
  const listening = await as.listen();
  assertEquals(api.url, `${listening.origin}/mcp`);
  const document = await fetch(`${listening.origin}/.well-known/oauth-protected-resource/mcp`);
  assertEquals((await document.json()).authorization_servers, [as.issuer]);
  const headers = { authorization: `Bearer ${await as.mint({ person: "bob", resource: api.url })}` };
  for (const host of ["localhost", "127.0.0.1"]) {
    const address = `http://${host}:${listening.port}/mcp`;
    const response = await fetch(address, { method: "POST", headers, body: "hi" });
    assertEquals([response.status, await response.text()], [200, "bob hi"]);
  }
  assertEquals(await statusOf(`${as.issuer}/oauth2/jwks`), 200);
  assertEquals(await statusOf(`${as.issuer}/mcpx`), 404);
  assertEquals(await statusOf(api.url, { method: "POST", headers, body: "x".repeat(1024 * 1024 + 1) }), 413);
});

test("resource: a path is an API at every name of the server, and its identifier is that of the issuer (RFC 9728 §2)", async () => {
  const also = "http://postern:9000";
  await using as = await createMock({ alg: "ES256", also: [also], allowPrivateHttp: true });
  const api = as.resource("/mcp", { metadata: "root" }, (request) => new Response(request.url));
  const refused = await as.fetch(`${also}/mcp`);
  const metadataUrl = `${also}/.well-known/oauth-protected-resource`;
  const challenge = refused.headers.get("www-authenticate")!.split(", DPoP")[0];
  assertEquals([refused.status, challenge], [
    401,
    `Bearer realm="https://as.test/mcp", resource_metadata="${metadataUrl}"`,
  ]);
  const { resource, authorization_servers } = await (await as.fetch(metadataUrl)).json();
  assertEquals([resource, authorization_servers], [api.url, ["https://as.test"]]);
  const tokens = await as.login("bob", { resource, dpop: true });
  for (const [proved, reason] of [[`${also}/mcp`, undefined], [api.url, "dpop_url"]] as const) {
    const headers = await as.dpopHeaders(tokens, proved);
    const answered = await as.fetch(`${also}/mcp`, { headers });
    assertEquals(api.requests.last?.refusal?.reason, reason);
    if (reason === undefined) assertEquals(await answered.text(), `${also}/mcp`);
  }
  assertEquals((await as.fetch(`${also}/oauth2/jwks`)).status, 200);
  const otherName = `Cannot create the resource ${also}/orders: this is another name of the server. ` +
    "Give the path /orders: it is at every name, and its URL begins with the issuer's origin";
  assertThrows(() => as.resource(`${also}/orders`), TypeError, otherName);
});

it("resource: an API accepts the tokens of its authorization servers, and moves from one to another (RFC 9728 §2)", async (as) => {
  const [one, two] = [as.tenant("one"), as.tenant("two")];
  const [first, second] = [await one.mint({ resource: url }), await two.mint({ resource: url })];
  const api = as.resource(url, { authorizationServers: [one] });
  const statuses = async () => [await statusOf(api, first), await statusOf(api, second)];
  const listed = async () => (await (await api.fetch(api.metadataUrl!)).json()).authorization_servers;
  assertEquals(await statuses(), [200, 401]);
  assertEquals(api.requests.last?.refusal?.reason, "issuer_differs");
  assertEquals(await listed(), [one.issuer]);
  api.change({ authorizationServers: [one, two.issuer] });
  assertEquals(await statuses(), [200, 200]);
  assertEquals(await listed(), [one.issuer, two.issuer]);
  // No server issued this token.
  const { token: forged } = await two.forge("access_token.signature_bad", { resource: url });
  assertEquals(await statusOf(api, forged), 401);
  assertEquals(api.requests.last?.refusal?.reason, "signature_wrong");
  api.change({ authorizationServers: [two] });
  assertEquals(await statuses(), [401, 200]);
  api.change({ authorizationServers: ["https://elsewhere.test"] });
  assertEquals(await statuses(), [401, 401]);
  assertEquals(await statusOf(api, await as.mint({ resource: url })), 401);
  assertEquals(await listed(), ["https://elsewhere.test"]);
});

test("resource: an API finds the server of an opaque token", async () => {
  await using as = await createMock({ alg: "ES256", accessTokens: "opaque" });
  const [one, two] = [as.tenant("one"), as.tenant("two")];
  const api = as.resource(url, { authorizationServers: [one, two] });
  for (const tenant of [one, two]) {
    assertEquals(await statusOf(api, await tenant.mint({ resource: url })), 200);
  }
  assertEquals(await statusOf(api, await as.mint({ resource: url })), 401);
  // Also of one that is bound to a key, which comes with another scheme (RFC 9449 §7.1).
  const bound = await two.login("bob", { resource: url, dpop: true });
  const { status } = await api.fetch(new Request(url, { headers: await two.dpopHeaders(bound, url) }));
  assertEquals(status, 200);
});

it("resource: of two APIs at one origin, the one with the longer path answers, whichever came first", async (as) => {
  for (const paths of [["/one", "/one/b"], ["/two/b", "/two"]]) {
    for (const path of paths) as.resource(url + path, {}, () => new Response(path));
    for (const path of paths) {
      const headers = { authorization: `Bearer ${await as.mint({ resource: url + path })}` };
      assertEquals(await (await as.fetch(`${url}${path}/c`, { headers })).text(), path);
    }
  }
});

it("resource: a request names the person of the server that issued the token, not one with the same sub elsewhere", async (as) => {
  as.people.add({ username: "carol", sub: "7" });
  const shop = as.tenant("shop", { people: [{ username: "dave", sub: "7" }] });
  const api = as.resource(url, { authorizationServers: [as, shop] });
  for (const [server, person] of [[as, "carol"], [shop, "dave"]] as const) {
    assertEquals(await statusOf(api, await server.mint({ person, resource: url })), 200);
    assertEquals(api.requests.last?.person, person);
  }
});

it("resource: the times of a token are compared with the clock of its server", async (as) => {
  const [one, two] = [as.tenant("one"), as.tenant("two")];
  const api = as.resource(url, { authorizationServers: [one, two] });
  const token = await two.mint({ resource: url, expiresIn: "1h" });
  for (const each of [as, one]) each.clock.advance("2h");
  assertEquals(await statusOf(api, token), 200);
  two.clock.advance("2h");
  assertEquals([await statusOf(api, token), api.requests.last?.refusal?.reason], [401, "token_expired"]);
});

it("resource: a token is refused if the API names other authorization servers only (RFC 9068 §4)", async (as) => {
  const { access_token: token } = await as.login("bob", { resource: url });
  const [one, two] = ["https://one.test", "https://two.test"] as const;
  for (
    const [authorizationServers, expected] of [
      [[one], one],
      [[one, two], `${one} or ${two}`],
      [[], "no server"],
    ] as const
  ) {
    using api = as.resource(url, { authorizationServers });
    assertEquals(await statusOf(api, token), 401);
    const refusal = api.requests.last?.refusal;
    assertEquals([refusal?.reason, refusal?.expected], ["server_not_trusted", `a token from ${expected}`]);
  }
});

it("resource: changes add up, and end with the mock", async (as) => {
  const api = as.resource(url);
  const { access_token: token } = await as.login("bob", { scope: "read", resource: url });
  api.change({ scope: "write" });
  api.change({ dpop: { required: false } });
  assertEquals(await statusOf(api, token), 403);
  const document = await (await api.fetch(api.metadataUrl!)).json();
  assertEquals(document.dpop_bound_access_tokens_required, undefined);
  const wrong = { rules: [{ maxAge: "-1m" }] };
  assertThrows(() => as.resource(`${url}/other`, wrong), TypeError, "a duration of 0 or more");
  await as.close();
  assertThrows(() => api.change({}), Error, "is disposed of");
});

it("resource: a call has its duration, each method of its batch, and the CORS header of the API", async (as) => {
  as.clock.freeze();
  const headers = { "access-control-allow-origin": "https://only.test" };
  const api = as.resource(url, {}, () => {
    as.clock.advance(3);
    return new Response("", { headers });
  });
  const { access_token: token } = await as.login("bob", { resource: url });
  const body = JSON.stringify([{ method: "ping" }, { method: "tools/call", params: { name: "add" } }]);
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  const answer = await api.fetch(...ask(token, init));
  assertEquals(answer.headers.get("access-control-allow-origin"), "https://only.test");
  const { rpc, duration } = api.requests.last!;
  assertEquals([rpc, duration], [["ping", "tools/call add"], 3]);
});

it("resource: guard takes a request whose body the API has read before", async (as) => {
  const [api, token] = [as.resource(url), await as.mint({ resource: url })];
  for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const request = new Request(url, { method: "POST", headers, body: "{}" });
    await request.text();
    assertEquals(await api.guard(request) instanceof Response, false, type);
  }
});
