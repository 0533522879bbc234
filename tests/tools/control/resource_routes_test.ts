/** A test in any language creates APIs that accept the server's tokens, and asks about requests to an API of its own. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { createMock } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { type CallControl, type ControlAnswer, origin, withControl } from "./with_control.ts";

type Mock = Awaited<ReturnType<typeof createMock>>;

const url = `${origin}/orders`;

async function create(ask: CallControl, body: object, base = ""): Promise<ControlAnswer["body"]> {
  const created = await ask("POST", `${base}/resources`, { body });
  assertEquals(created.status, 201, JSON.stringify(created.body));
  return created.body;
}

async function mint(ask: CallControl, terms: object = {}, base = ""): Promise<string> {
  return (await ask("POST", `${base}/mint`, { body: { username: "bob", resource: url, ...terms } })).body
    .token;
}

function call(
  as: Mock,
  token?: string,
  { at = url, ...init }: RequestInit & { at?: string } = {},
): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return as.fetch(at, { ...init, headers: { ...authorization, ...init.headers as Record<string, string> } });
}

async function statusOf(...terms: Parameters<typeof call>): Promise<number> {
  const response = await call(...terms);
  await response.body?.cancel();
  return response.status;
}

test("control: a client calls a created API with its own token", async () => {
  const token = "a-token-of-the-control-plane";
  await withControl(async ({ ask, as }) => {
    const headers = { authorization: `Bearer ${token}` };
    const body = { url: "/orders", scope: "orders", scopes: ["orders"], answer: { body: ["one order"] } };
    const created = await ask("POST", "/resources", { headers, body });
    const metadataUrl = `${origin}/.well-known/oauth-protected-resource/orders`;
    const { id, ...rest } = created.body;
    assertEquals([created.status, id], [201, "resource-1"]);
    assertEquals(rest, { ...body, url, metadataUrl, requests: 0 });

    // The token of the control plane opens no API.
    assertEquals(await statusOf(as, token), 401);
    const terms = { username: "bob", scope: "orders", resource: url };
    const login = await ask("POST", "/login", { headers, body: terms });
    const answer = await call(as, login.body.access_token);
    assertEquals([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
    assertEquals([answer.headers.get("cache-control"), await answer.json()], ["no-store", ["one order"]]);
  }, { terms: { token } });
});

const it = testIn(withControl);

it("control: an API answers with the claims of the token, or as a caller says", async ({ ask, as }) => {
  const { id } = await create(ask, { url: "/orders" });
  const token = await mint(ask, { scope: "read" });
  const claims = await (await call(as, token)).json();
  assertEquals([claims.sub, claims.aud, claims.scope], ["bob", url, "read"]);
  const answers: readonly (readonly [answer: unknown, status: number, type: string, text: string])[] = [
    [{ body: { orders: [] } }, 200, "application/json", '{"orders":[]}'],
    [{ body: "hí", headers: { "Content-Type": "text/plain" }, status: 201 }, 201, "text/plain", "hí"],
    [{ status: 204 }, 204, "application/json", ""],
    [{ status: 503, headers: { "retry-after": "5" }, body: "" }, 503, "application/json", ""],
  ];
  for (const [answer, status, type, text] of answers) {
    assertEquals((await ask("PATCH", `/resources/${id}`, { body: { answer } })).body.answer, answer);
    const response = await call(as, token);
    assertEquals([response.status, response.headers.get("content-type")], [status, type]);
    const received = await response.text(), { length } = new TextEncoder().encode(text);
    assertEquals([received, response.headers.get("content-length")], [
      text,
      status === 204 ? null : `${length}`,
    ]);
  }
  const restored = await ask("PATCH", `/resources/${id}`, { body: { answer: null } });
  assertEquals([restored.body.answer, (await (await call(as, token)).json()).sub], [undefined, "bob"]);
});

it("control: a change of an API asks for more, and null restores the default", async ({ ask, as }) => {
  const { id } = await create(ask, { url: "/orders", scope: "read" });
  const token = await mint(ask, { scope: "read" });
  const change = async (body: object) => {
    const changed = await ask("PATCH", `/resources/${id}`, { body });
    assertEquals(changed.status, 200, JSON.stringify(changed.body));
    const response = await call(as, token);
    await response.body?.cancel();
    return {
      ...changed.body,
      status: response.status,
      challenge: response.headers.get("www-authenticate"),
    };
  };
  const stepUp = await change({
    scope: ["read", "write"],
    challenge: { scope: "missing", realm: "Orders" },
  });
  assertEquals([stepUp.scope, stepUp.status], [["read", "write"], 403]);
  assertMatch(stepUp.challenge, /^Bearer realm="Orders", error="insufficient_scope".*scope="write"/);
  const restored = await change({ scope: null, challenge: null });
  assertEquals([restored.scope, restored.status], [undefined, 200]);
  const ruled = await change({ maxAge: "1h", rules: [{ path: "/orders", acr: "gold", maxAge: "5m" }] });
  assertEquals([ruled.status, ruled.maxAge, ruled.rules[0].maxAge, ruled.rules[0].acr], [
    401,
    3600,
    300,
    "gold",
  ]);
  assertEquals((await change({ maxAge: null })).maxAge, undefined);
  assertEquals((await change({ rules: null, dpop: { required: true } })).status, 401);
  assertEquals((await change({ dpop: null })).status, 200);
  // OAuth's names of the terms.
  assertEquals((await change({ authorization_servers: ["https://other.test"] })).status, 401);
  assertEquals((await change({ authorizationServers: null, acr_values: "gold" })).status, 401);
  const shown = await ask("GET", `/resources/${id}`);
  assertEquals([shown.status, shown.body.acr, shown.body.url], [200, "gold", url]);
  assertEquals(Object.keys(shown.body), ["id", "url", "metadataUrl", "acr", "requests"]);
});

it("control: a refused change of an API changes nothing of it", async ({ ask, as }) => {
  const { id } = await create(ask, { url: "/orders", scope: "read" });
  const token = await mint(ask, { scope: "read" });
  const show = async () => ({ ...(await ask("GET", `/resources/${id}`)).body, requests: "any" });
  const before = await show();
  const answer = { status: 204 };
  for (const wrong of [{ metadata: "no path" }, { maxAge: "soon" }, { rules: [{ path: 1 }] }]) {
    const refused = await ask("PATCH", `/resources/${id}`, { body: { answer, scope: "write", ...wrong } });
    assertEquals(refused.status, 400, JSON.stringify(refused.body));
    assertEquals(await show(), before);
    const response = await call(as, token);
    await response.body?.cancel();
    assertEquals(response.status, 200);
  }
});

it("control: the metadata of an API moves, and has other members", async ({ ask }) => {
  // Only at the origin of the issuer, these paths are those of the control plane.
  await create(ask, { url: "https://api.test/_postern/orders" });
  const { id } = await create(ask, { url: "/orders" });
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const document = { resource: "https://other.test", authorization_servers: null };
  const changes: readonly (readonly [changes: object, metadataUrl: string | undefined])[] = [
    [{ metadata: "root" }, wellKnown],
    [{ metadata: "/metadata.json" }, `${origin}/metadata.json`],
    [{ metadata: false }, undefined],
    [{ metadata: null, document }, `${wellKnown}/orders`],
  ];
  for (const [body, metadataUrl] of changes) {
    assertEquals((await ask("PATCH", `/resources/${id}`, { body })).body.metadataUrl, metadataUrl);
  }
  const { body } = await ask("POST", `/resources/${id}/guard`, { body: { url: `${wellKnown}/orders` } });
  assertEquals(JSON.parse(body.response.body), {
    resource: "https://other.test",
    bearer_methods_supported: ["header"],
  });
});

it("control: the requests to an API are listed without secrets, and a caller waits for the next one", async ({ ask, as }) => {
  const { id } = await create(ask, { url: "/orders", scope: "write" });
  const list = async (query = "") => (await ask("GET", `/resources/${id}/requests${query}`)).body;
  const waiting = list("?wait=30");
  const token = await mint(ask, { scope: "read", client: "app" });
  const rpc = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "greet" } });
  await call(as, token, {
    method: "POST",
    body: rpc,
    headers: { "content-type": "application/json" },
  });
  const { requests: [first], dropped } = await waiting;
  assertEquals(
    [first.endpoint, first.api, first.rpc, first.status, first.person, first.scope, first.refusal.reason],
    ["resource", url, ["tools/call greet"], 403, "bob", ["read"], "token_lacks_scope"],
  );
  assertEquals([dropped, first.raw], [0, undefined]);
  await call(as);
  const later = (await list(`?after=${first.id}`)).requests;
  assertEquals(later.map((each: { refusal: { reason: string } }) => each.refusal.reason), [
    "token_missing",
  ]);
  assert(!JSON.stringify(await list()).includes(token));
  assertStringIncludes(JSON.stringify((await list("?raw=true")).requests[0].raw.request.headers), token);
  assertEquals((await ask("GET", `/resources/${id}`)).body.requests, 2);
});

it("control: guard returns the claims, or the response that a caller's own API sends", async ({ ask }) => {
  const own = "http://localhost:8000/orders";
  const { id, metadataUrl } = await create(ask, {
    url: own,
    scope: "read",
    rules: [{ method: "POST", scope: "write" }, { tool: "pay", refuse: true }],
  });
  const guard = async (body: object) => {
    const { status, body: answer } = await ask("POST", `/resources/${id}/guard`, { body });
    assertEquals(status, 200, JSON.stringify(answer));
    return answer;
  };
  const token = await mint(ask, { scope: "read write", resource: own });
  const { accepted, claims, response } = await guard({ token });
  assertEquals([accepted, claims.sub, claims.aud, response], [true, "bob", own, undefined]);
  assertEquals((await guard({ access_token: token, method: "POST", url: "/orders/1?x=1" })).accepted, true);
  const headers = { Authorization: `Bearer ${await mint(ask, { scope: "read", resource: own })}` };
  assertEquals((await guard({ headers })).accepted, true);

  const refused = await guard({ headers, method: "POST" });
  assertEquals([refused.accepted, refused.response.status, refused.claims], [false, 403, undefined]);
  assertStringIncludes(
    refused.response.headers["www-authenticate"],
    `error="insufficient_scope", error_description="The token lacks the scope write", scope="read write", ` +
      `resource_metadata="${metadataUrl}"`,
  );
  assertEquals(JSON.parse(refused.response.body).error, "insufficient_scope");
  const pay = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "pay" } };
  const json = { "content-type": "application/json", authorization: `Bearer ${token}` };
  assertEquals(
    (await guard({ method: "POST", headers: json, body: JSON.stringify(pay) })).response.status,
    403,
  );
  assertEquals((await guard({ token, url: "/elsewhere" })).response.status, 404);
  // Frameworks pass on the body of every request, and GET may have one.
  for (const method of ["get", "HEAD"]) {
    assertEquals((await guard({ token, method, body: "x" })).accepted, true, method);
  }

  const { body } = await ask("GET", `/resources/${id}/requests`);
  assertEquals(
    body.requests.map(({ status }: { status?: number }) => status ?? "accepted"),
    ["accepted", "accepted", "accepted", 403, 403, 404, "accepted", "accepted"],
  );
});

it("control: wrong calls about APIs are explained and change nothing", async ({ ask }) => {
  const { id } = await create(ask, { url: "/orders", scope: "read" });
  const at = `/resources/${id}`;
  type Wrong = readonly [
    method: string,
    path: string,
    body: unknown,
    place: string | undefined,
    words: string,
  ];
  const wrong: readonly Wrong[] = [
    ["POST", "/resources", {}, "url", "url is required"],
    ["POST", "/resources", { url: "/orders" }, undefined, "it exists already"],
    ["POST", "/resources", { url: "/_postern/x" }, "url", "outside of /_postern"],
    ["POST", "/resources", { url: "/a", metadata: "https://b.test/m" }, "metadata", `a URL of ${origin}`],
    ["POST", "/resources", { url: "/a", maxAge: -1 }, "maxAge", "a duration of 0 or more"],
    ["PATCH", at, { rules: [{}, { maxAge: "soon" }] }, "rules[1].maxAge", "seconds as a number"],
    ["PATCH", at, { rules: [{ path: "x" }] }, "rules[0].path", "/orders"],
    ["PATCH", at, { answer: { status: 204, body: "x" } }, "answer", "no body with the status 204"],
    [
      ...["PATCH", at, { answer: { headers: { "Content-Length": "1" } } }] as const,
      ...["answer.headers.Content-Length", "must be left out"] as const,
    ],
    [
      "POST",
      `${at}/guard`,
      { token: "a", headers: { AUTHORIZATION: "Bearer b" } },
      "headers.AUTHORIZATION",
      "two",
    ],
    ["POST", `${at}/guard`, { url: "https://other.test/" }, "url", `must be a path, or a URL of ${origin}`],
    [
      "POST",
      `${at}/guard`,
      { headers: { authorization: "Bearer a\nb" } },
      "headers",
      "that a header may have",
    ],
    ["POST", `${at}/guard`, { token: "a\nb" }, "token", "must be text that a header may have"],
    ...["TRACE", "A B"].map((method) =>
      ["POST", `${at}/guard`, { method }, "method", "none of CONNECT, TRACE, TRACK"] as const
    ),
  ];
  for (const [method, path, body, place, words] of wrong) {
    const { status, body: answer } = await ask(method, path, { body });
    assertEquals([status, answer.error, answer.place], [400, "invalid_request", place], words);
    assert(answer.error_description.includes(words), answer.error_description);
  }
  const calls = [["GET", ""], ["PATCH", ""], ["DELETE", ""], ["GET", "/requests"]] as const;
  for (const [method, path] of calls) {
    const { status, body } = await ask(method, `/resources/resource-9${path}`);
    assertEquals([status, body.error], [404, "not_found"]);
    assertStringIncludes(body.error_description, 'There is no resource "resource-9": known are resource-1');
  }
  await ask("POST", "/resources", { body: { url: "/second" } });
  const { body } = await ask("GET", "/resources");
  assertEquals(
    body.resources.map(({ url, scope, requests }: Record<string, unknown>) => [url, scope, requests]),
    [
      [url, "read", 0],
      [`${origin}/second`, undefined, 0],
    ],
  );
});

it("control: a reset, the end of a tenant, and DELETE remove APIs and free their addresses", async ({ ask, as }) => {
  const ends: readonly (readonly [base: string, method: string, path: (id: string) => string])[] = [
    ["", "DELETE", (id) => `/resources/${id}`],
    ["", "POST", () => "/reset"],
    ["/tenants/shop", "POST", () => "/tenants/shop/reset"],
    ["/tenants/shop", "POST", () => "/reset"],
    ["/tenants/shop", "DELETE", () => "/tenants/shop"],
  ];
  for (const [base, method, path] of ends) {
    const { id } = await create(ask, { url: "/orders" }, base);
    assertEquals(await statusOf(as), 401);
    const others = path(id).endsWith(id) ? [] : ["/bills", "/carts"];
    for (const other of others) await create(ask, { url: other }, base);
    const { status } = await ask(method, path(id));
    assertEquals([status, await statusOf(as)], [204, 404], `${method} ${base}`);
    for (const other of others) assertEquals(await statusOf(as, undefined, { at: origin + other }), 404);
  }
  await create(ask, { url: "/orders" });
  assertEquals(await statusOf(as), 401);
});
