/** as.route: who reaches a route, what it wins over, what is recorded, when it ends, and what is refused. */

import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { parseAddress } from "../../../../src/ground/http/address.ts";
import { createMock, type RouteHandler } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const emails = "https://api.github.com/user/emails";

const echo: RouteHandler = async (request) =>
  Response.json([request.method, request.url, await request.text()], { status: 201 });

const textOf = async (asked: Promise<Response>) => await (await asked).text();

test("route: as.fetch, intercept() and a port reach it, at each name of the server", async () => {
  await using as = await createMock({ alg: "ES256", also: ["https://other.test"] });
  const { origin } = await as.listen();
  as.route("POST /hooks", echo);
  as.route("GET https://api.test/orders", () => new Response("orders"));
  const post = { method: "POST", body: "{}" };
  assertEquals(await textOf(as.fetch(`${as.issuer}/hooks?x=1`, post)), `["POST","${origin}/hooks?x=1","{}"]`);
  assertEquals(
    await textOf(as.fetch("https://other.test/hooks", post)),
    `["POST","https://other.test/hooks","{}"]`,
  );
  const overPort = await fetch(`${origin}/hooks?y=2`, post);
  assertEquals([overPort.status, await overPort.text()], [201, `["POST","${origin}/hooks?y=2","{}"]`]);
  using _ = as.intercept();
  assertEquals(await textOf(fetch("https://api.test/orders")), "orders");
  assertEquals(
    as.requests.map(({ endpoint, method, api, status }) => `${endpoint} ${method} ${api} ${status}`),
    [
      `resource POST ${origin}/hooks 201`,
      `resource POST ${origin}/hooks 201`,
      `resource POST ${origin}/hooks 201`,
      "resource GET https://api.test/orders 200",
    ],
  );
});

test("route: it moves with the issuer, answers HEAD and preflights, and leaves other methods and paths alone", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.route("GET /status", () => new Response("fine"));
  as.route("GET https://api.test/orders", () => new Response("orders"));
  const before = as.issuer;
  await as.listen();
  await assertRejects(() => as.fetch(`${before}/status`), TypeError, "answers for");
  const url = `${as.issuer}/status`;
  assertEquals(await textOf(as.fetch(url)), "fine");
  assertEquals((await as.fetch(url, { method: "HEAD" })).status, 200);
  const headers = { origin: "https://app.test", "access-control-request-method": "GET" };
  const preflight = await fetch(url, { method: "OPTIONS", headers });
  assertEquals(preflight.headers.get("access-control-allow-origin"), "*");
  assertEquals((await as.fetch(url, { method: "POST" })).status, 404);
  assertEquals((await as.fetch(`${url}/more`)).status, 404);
  as.route("OPTIONS https://api.test/own", () => new Response("own"));
  assertEquals(await textOf(as.fetch("https://api.test/own", { method: "OPTIONS" })), "own");
  as.route("POST https://api.test/made", () => new Response("made"));
  assertEquals((await as.fetch("https://api.test/made", { method: "HEAD" })).status, 501);
  assertEquals((await as.fetch("https://api.test/made", { method: "OPTIONS" })).status, 204);
  as.route("GET https://api.test/cookies", () => {
    return new Response("", { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] });
  });
  const set = await as.fetch("https://api.test/cookies");
  assertEquals(set.headers.getSetCookie(), ["a=1", "b=2"]);
  const unknown = await as.fetch("https://api.test/prices");
  assertEquals(unknown.status, 501);
  assertStringIncludes(await unknown.text(), "No route of the test answers GET https://api.test/prices");
  assertEquals(as.requests.last?.refusal?.reason, "route_unknown");
});

test("route: it wins over the APIs of a look-alike and its 501, but hides no endpoint of a login", async () => {
  await using as = await createMock({ alg: "ES256", lookLike: "github" });
  for (const [url, before] of [[emails, 401], ["https://api.github.com/of/no/api", 501]] as const) {
    assertEquals((await as.fetch(url)).status, before);
    as.route(`GET ${url}`, () => Response.json(["of the test"]));
    const answer = await as.fetch(url);
    assertEquals([answer.status, await answer.json()], [200, ["of the test"]]);
    assertEquals(as.requests.last?.api, url);
  }
  assertEquals((await as.fetch("https://api.github.com/user")).status, 401);
  assertEquals((await as.fetch("https://api.github.com/repos")).status, 501);
  const token = "https://github.com/login/oauth/access_token";
  as.route(`POST ${token}`, () => new Response("hidden"));
  assertEquals((await as.fetch(token, { method: "POST" })).status, 500);
  assertEquals(as.requests.last?.refusal?.reason, "route_hides_look_alike");
});

test("route: gates and hooks apply to it as to an API, and an error of its function is in the journal", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.route("GET /status", () => new Response("fine"));
  as.fail("resource", { count: 1 });
  assertEquals((await as.fetch(`${as.issuer}/status`)).status, 503);
  as.on("response", (answer) => ({ ...answer, status: 418 }), { endpoint: "resource", once: true });
  assertEquals((await as.fetch(`${as.issuer}/status`)).status, 418);
  const gate = as.hold("resource");
  const held = as.fetch(`${as.issuer}/status`);
  await gate.arrived();
  gate[Symbol.dispose]();
  assertEquals((await held).status, 200);
  as.route("GET /broken", () => {
    throw new Error("out of order");
  });
  assertEquals((await as.fetch(`${as.issuer}/broken`)).status, 500);
  assertEquals(as.requests.last?.refusal?.reason, "unexpected_error");
  assertEquals(as.timeline().match(/GET https:\/\/as\.test\/(status|broken)/g)?.length, 4);
});

test("route: a tenant records its own, and disposing, reset() and close() remove routes", async () => {
  await using as = await createMock({ alg: "ES256" });
  const shop = as.tenant("shop");
  const ends = [() => route[Symbol.dispose](), () => as.reset(), () => shop.reset(), () => shop.close()];
  let route: Disposable;
  for (const end of ends) {
    route = shop.route(`GET ${emails}`, () => new Response("none"));
    assertEquals(await textOf(as.fetch(emails)), "none");
    assertEquals([shop.requests.last?.api, as.requests.length], [emails, 0]);
    await end();
    await assertRejects(() => as.fetch(emails), TypeError, "answers for https://as.test only");
  }
});

test("route: what it cannot be is refused at once", async () => {
  await using as = await createMock({ alg: "ES256", also: ["https://other.test"] });
  as.tenant("shop");
  as.route("GET /taken", echo);
  const refusals: readonly (readonly [pattern: unknown, handler: unknown, words: string])[] = [
    ...[
      "/status",
      "get /status",
      "GET",
      "GET health",
      "GET /a /b",
      "GET //x/y",
      "GET /a?b=c",
      "GET ftp://x/y",
    ]
      .concat("TRACE /x").map((each) => [each, echo, 'such as "GET /status", but got'] as const),
    [5, echo, "but got 5"],
    ["GET /x", "text", "expected a function that takes a Request and returns a Response"],
    ["GET /taken", echo, "it exists already"],
    ["GET https://as.test/taken", echo, "it exists already"],
    [
      "GET /oauth2/token",
      echo,
      "the authorization server answers at /oauth2/token. Change its answers with as.on()",
    ],
    ["GET https://as.test/oauth2/token", echo, "the authorization server answers at /oauth2/token"],
    ["POST /shop/oauth2/token", echo, "the authorization server answers at /shop/oauth2/token"],
    ["GET https://other.test/x", echo, "this is another name of the server. Give the path /x"],
  ];
  for (const [pattern, handler, words] of refusals) {
    const { message } = assertThrows(() => as.route(pattern as string, handler as RouteHandler), TypeError);
    assert(message.includes(words), message);
  }
  as.route("POST /later/oauth2/token", echo);
  assertThrows(
    () => as.tenant("later"),
    TypeError,
    "the route POST https://as.test/later/oauth2/token answers",
  );
});

test("route: a body may have 1 MiB, and one that cannot be read has its status (RFC 9110 §15.5)", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.route("POST /hooks", echo);
  const limits: number[] = [];
  const rows = [["too_large", 413], ["not_utf8", 400], ["encoded", 415], ["interrupted", 400]] as const;
  for (const [problem, status] of rows) {
    const { status: answered } = await as.answer({
      ...{ method: "POST", address: parseAddress(`${as.issuer}/hooks`)!, peer: undefined },
      header: () => undefined,
      headers: () => [],
      readBody: (limit) => (limits.push(limit), Promise.resolve({ problem })),
    });
    assertEquals(answered, status, problem);
  }
  assertEquals(limits, Array(4).fill(1024 * 1024));
});

test("route: a reset of another tenant leaves it, and at another origin it hides no tenant", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.tenant("a").route("GET https://api.test/c/jwks", () => new Response("a"));
  as.resource("/d/orders");
  for (const name of ["b", "c", "d"]) as.tenant(name).reset();
  assertEquals(await textOf(as.fetch("https://api.test/c/jwks")), "a");
});
