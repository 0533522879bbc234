/** The control plane: its operations, its document, its errors and its guard. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { checkSchema } from "../../src/schema/check_schema.ts";
import type { Schema } from "../../src/schema/schema.ts";
import { fromRequest, toResponse } from "../../src/http/message.ts";
import { type ControlTerms, createControl } from "../../src/control/control.ts";
import { mergePatch } from "../../src/schema/merge_patch.ts";
import { type OpenApiDocument, type OpenApiResponse, problemSchema } from "../../src/control/openapi.ts";
import { controlRoutes } from "../../src/control/routes.ts";
import { type HookName, hookNames, hookTable } from "../../src/mock/conditions/hook_table.ts";
import { createMock, type MockOptions } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { verifier } from "../world.ts";
import { authorizeUrl } from "../mock/authorize_url.ts";

const origin = "https://as.test";

interface Said {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, if it is JSON. */
  // deno-lint-ignore no-explicit-any -- each answer has its own shape, which the tests assert
  readonly body: any;
}

interface Asking {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null`: unknown. */
  readonly peer?: string | null;
  readonly at?: string;
}

type Ask = (method: string, path: string, asking?: Asking) => Promise<Said>;

async function withControl(
  work: (ask: Ask, as: Awaited<ReturnType<typeof createMock>>) => Promise<void>,
  { terms = {}, options = {} }: { readonly terms?: ControlTerms; readonly options?: MockOptions } = {},
): Promise<void> {
  await using as = await createMock({ alg: "ES256", ...options });
  const control = createControl(as, terms);
  await work(async (method, path, { body, headers = {}, peer = "127.0.0.1", at = origin } = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request(`${at}/_postern${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const response = toResponse(await control.answer(fromRequest(request, peer ?? undefined))!);
    const said = await response.text();
    const isJson = said !== "" && response.headers.get("content-type") === "application/json";
    const answered = isJson ? JSON.parse(said) : said;
    if (response.status >= 400 && method !== "HEAD") {
      assertEquals(checkSchema(answered, problemSchema), undefined, said);
    }
    return { status: response.status, headers: response.headers, body: answered };
  }, as);
}

test("control: a flow from the login to the timeline, in JSON only", async () => {
  await withControl(async (ask) => {
    for (const path of ["", "/"]) assertEquals((await ask("GET", path)).body, { issuer: origin });
    assertEquals((await ask("GET", "/env")).body.OAUTH_ISSUER, origin);
    await ask("POST", "/clock", { body: { freeze: "2030-01-01T12:00:00Z" } });
    const login = await ask("POST", "/login", { body: { username: "bob" } });
    assertEquals([login.status, decodeJwt(login.body.id_token).sub], [200, "bob"]);
    assertEquals(decodeJwt(login.body.access_token).iat, 1_893_499_200);

    const later = await ask("POST", "/clock", { body: { advance: "1h" } });
    assertEquals([later.body.now, later.body.date], [1_893_502_800, "2030-01-01T13:00:00.000Z"]);
    const { refresh_token } = login.body;
    const refreshed = await ask("POST", "/refresh", { body: { refresh_token } });
    assertEquals(decodeJwt(refreshed.body.access_token).iat, 1_893_502_800);
    assertEquals((await ask("POST", "/revoke", { body: refreshed.body.refresh_token })).status, 400);
    const token: string = refreshed.body.refresh_token;
    assertEquals((await ask("POST", "/revoke", { body: { token } })).status, 204);

    const again = await ask("POST", "/refresh", { body: { refresh_token: token } });
    assertEquals([again.status, again.body.error], [422, "refused"]);
    assertEquals(again.body.refusal.error, "invalid_grant");
    assertEquals((await ask("GET", "/explain")).body.explanation.split(" ")[0], "invalid_grant");
    const timeline = await ask("GET", "/timeline");
    assertMatch(timeline.headers.get("content-type")!, /^text\/plain/);
    assertMatch(timeline.body, /POST \/oauth2\/revoke/);
    const har = await ask("GET", "/timeline?form=har");
    assertEquals(har.body.log.entries.length, 5);

    assertEquals((await ask("POST", "/reset")).status, 204);
    assertEquals((await ask("GET", "/requests")).body, { requests: [], dropped: 0 });
    assertEquals((await ask("GET", "/explain")).body, {});
  });
});

test("control: people and clients are listed without secrets, added, changed and removed", async () => {
  await withControl(async (ask, as) => {
    const carol = { username: "carol", password: "open sesame" };
    const made = await ask("POST", "/people", { body: carol });
    assertEquals([made.status, made.body], [201, { username: "carol" }]);
    const changed = await ask("PATCH", "/people/carol", { body: { claims: { name: "Carol Clark" } } });
    assertEquals(changed.body, { username: "carol", claims: { name: "Carol Clark" } });
    assertEquals(as.people.get("carol")?.password, "open sesame");
    const { people } = (await ask("GET", "/people")).body;
    assertEquals(people.at(-1), { username: "carol", claims: { name: "Carol Clark" } });
    const twice = await ask("POST", "/people", { body: carol });
    assertEquals(twice.status, 400);
    assertMatch(
      twice.body.error_description,
      /^Cannot add to people: username must be unique: two people are called carol/,
    );
    assertEquals(
      [twice.body.place, twice.body.expected],
      ["username", "must be unique: two people are called carol"],
    );
    const renamed = await ask("PATCH", "/clients/app", { body: { client_id: "app-confidential" } });
    assertMatch(renamed.body.error_description, /^Cannot change clients: client_id must be unique/);
    assertEquals(renamed.body.place, "client_id");
    assertMatch(renamed.body.expected, /^must be unique: two clients are called app-confidential$/);
    assertEquals((await ask("DELETE", "/people/carol")).status, 204);
    const gone = await ask("DELETE", "/people/carol");
    assertEquals([gone.status, gone.body.error], [404, "not_found"]);
    assertEquals(gone.body.error_description, 'The person "carol" is not known: known are alice, bob');

    const shop = { client_id: "a/b", client_secret: "canary", redirect_uris: ["https://shop.test/cb"] };
    assertEquals((await ask("POST", "/clients", { body: shop })).status, 201);
    assert(!JSON.stringify((await ask("GET", "/clients")).body).includes("canary"));
    assertEquals((await ask("GET", "/clients?raw=true")).body.clients.at(-1), shop);
    const environment = (await ask("GET", "/env?client=a/b")).body;
    assertEquals([environment.OAUTH_CLIENT_ID, environment.OAUTH_CLIENT_SECRET], ["a/b", undefined]);
    assertEquals((await ask("GET", "/env?client=a/b&raw=true")).body.OAUTH_CLIENT_SECRET, "canary");
    const named = await ask("PATCH", "/clients/a%2Fb", { body: { client_id: "shop" } });
    assertEquals(named.body.client_id, "shop");
    assertEquals((await ask("POST", "/login", { body: { client: "shop" } })).status, 200);
    assertEquals((await ask("DELETE", "/clients/shop")).status, 204);
    assertEquals(as.clients.get("shop"), undefined);
  });
});

test("control: a person who signed in with a named browser stays signed in", async () => {
  await withControl(async (ask) => {
    await ask("POST", "/login", { body: { username: "bob", scope: "openid", browser: "his" } });
    const url = authorizeUrl(origin, { scope: "openid", prompt: "none" });
    const answered = async (browser: string) =>
      new URL((await ask("POST", "/authorize", { body: { url, browser } })).body.url).searchParams;
    assert((await answered("his")).has("code"));
    assertEquals((await answered("hers")).get("error"), "login_required");
    await ask("POST", "/reset");
    assertEquals((await answered("his")).get("error"), "login_required");
  });
});

test("control: authorize answers the request that the client gets, by redirect and as a form", async () => {
  await withControl(async (ask) => {
    const { body } = await ask("POST", "/authorize", {
      body: { url: authorizeUrl(origin), username: "bob" },
    });
    assertEquals(body.method, "GET");
    assertMatch(body.url, /^https:\/\/app\.test\/callback\?code=.*&state=af0ifjsldkj/);
    const form = await ask("POST", "/authorize", {
      body: { url: authorizeUrl(origin, { response_mode: "form_post" }), deny: true },
    });
    assertEquals([form.body.method, form.body.url], ["POST", "https://app.test/callback"]);
    assertEquals([form.body.form.error, form.body.form.state], ["access_denied", "af0ifjsldkj"]);
    await ask("POST", "/next_sign_in", { body: { deny: true, client: "app" } });
    const next = await ask("POST", "/authorize", { body: { url: authorizeUrl(origin) } });
    assertMatch(next.body.url, /error=access_denied/);
    const none = await ask("POST", "/authorize", { body: { url: "/oauth2/authorize" } });
    assertEquals([none.status, none.body.place], [400, "url"]);
  });
});

test("control: tokens are minted, expired and forged, and the session is ended", async () => {
  await withControl(async (ask, as) => {
    const minted = await ask("POST", "/mint", {
      body: { username: "bob", claims: { role: "admin" }, expiresIn: "5m" },
    });
    const claims = decodeJwt(minted.body.token);
    assertEquals([claims.sub, claims["role"], claims.exp! - claims.iat!], ["bob", "admin", 300]);
    const expired = await ask("POST", "/expire", { body: { token: minted.body.token } });
    assert(decodeJwt(expired.body.token).exp! < as.clock.now);
    const login = await ask("POST", "/login", { body: {} });
    const all = await ask("POST", "/expire", { body: login.body });
    assertEquals([all.body.expires_in, all.body.refresh_token], [0, login.body.refresh_token]);
    const forged = await ask("POST", "/forge", { body: { name: "wrong-issuer", username: "bob" } });
    assertEquals([forged.body.verdict.status, decodeJwt(forged.body.token).sub], [401, "bob"]);
    const unknown = await ask("POST", "/forge", { body: { name: "evil" } });
    assertMatch(unknown.body.expected, /^must be one of expired, /);
    assertEquals((await ask("POST", "/expire", { body: {} })).status, 400);

    const { id_token } = login.body;
    assertEquals((await ask("POST", "/end_session", { body: { id_token } })).status, 204);
    assertEquals(as.requests.logout.last?.status, 200);
  });
});

test("control: requests wait at a gate, and are released in any order", async () => {
  await withControl(async (ask, as) => {
    const made = await ask("POST", "/gates", { body: { endpoint: "jwks", kind: "hold", count: 2 } });
    assertEquals(made.status, 201);
    assertEquals(made.body, { id: "gate-1", endpoint: "jwks", kind: "hold", count: 2, waiting: 0 });
    assertEquals((await ask("GET", "/gates/gate-1")).body.arrived, false);
    const coming = ask("GET", "/gates/gate-1?arrived=2&wait=5");
    const order: string[] = [];
    const get = async (name: string) => {
      await (await as.fetch(`${origin}/oauth2/jwks`)).text();
      order.push(name);
    };
    const fetching = [get("first")];
    assertEquals((await ask("GET", "/gates/gate-1?wait=5")).body.arrived, true);
    assertEquals((await ask("GET", "/gates/gate-1?arrived=2")).body.arrived, false);
    fetching.push(get("second"));
    const { body } = await coming;
    assertEquals([body.arrived, body.waiting], [true, 2]);
    assertEquals((await ask("POST", "/gates/gate-1/release", { body: { index: 2 } })).status, 204);
    await fetching[1];
    assertEquals((await ask("DELETE", "/gates/gate-1")).status, 204);
    await fetching[0];
    assertEquals(order, ["second", "first"]);
    assertEquals((await ask("GET", "/gates/gate-1")).status, 404);

    await ask("POST", "/gates", { body: { endpoint: "token", kind: "drop", count: 1 } });
    const lost = await ask("POST", "/login", { body: {} });
    assertEquals([lost.status, lost.body.error], [422, "answer_lost"]);
    assertEquals((await ask("GET", "/gates")).body.gates.map((each: { id: string }) => each.id), ["gate-2"]);
    const watched = await ask("GET", "/gates/gate-2");
    assertMatch(watched.body.error_description, /^No requests wait at gate-2: it is a drop\./);
    const delay = { endpoint: "token", kind: "delay" };
    assertEquals((await ask("POST", "/gates", { body: delay })).body.place, "by");
    assertEquals((await ask("POST", "/gates", { body: { ...delay, by: "soon" } })).status, 400);
    assertEquals((await ask("POST", "/gates", { body: { ...delay, by: "1ms", count: 1 } })).status, 201);
    assertEquals((await ask("POST", "/gates", { body: { ...delay, kind: "hold", by: 1 } })).body.place, "by");
    assertEquals((await ask("POST", "/login", { body: {} })).status, 200);
    await ask("POST", "/reset");
    assertEquals((await ask("GET", "/gates")).body, { gates: [] });
  });
});

test("control: a hook applies a merge patch, once or until it is removed", async () => {
  await withControl(async (ask, as) => {
    const patch = { email: null, role: "admin" };
    const once = { name: "id_token", patch, once: true, client: "app", username: "bob" };
    const made = await ask("POST", "/hooks", { body: once });
    assertEquals([made.status, made.body], [201, { id: "hook-1", ...once, used: 0 }]);
    const claimsOf = async (username: string) =>
      decodeJwt((await ask("POST", "/login", { body: { username } })).body.id_token);
    assertEquals((await claimsOf("alice"))["role"], undefined);
    assertEquals((await claimsOf("bob"))["role"], "admin");
    assertEquals((await claimsOf("bob"))["role"], undefined);
    assertEquals((await ask("GET", "/hooks")).body.hooks, [{ id: "hook-1", ...once, used: 1 }]);

    const failing = { name: "token_response", patch: { status: 503, members: { error: "server_error" } } };
    await ask("POST", "/hooks", { body: failing });
    assertEquals((await ask("POST", "/login", { body: {} })).status, 422);
    const altered = [{ seam: "token_response", by: "token_response" }];
    assertEquals([as.requests.token.last?.status, as.requests.token.last?.altered], [503, altered]);
    const { requests } = (await ask("GET", "/requests?endpoint=token")).body;
    assertEquals(requests.at(-1).altered, altered);
    assertEquals((await ask("DELETE", "/hooks/hook-2")).status, 204);
    assertEquals((await ask("POST", "/login", { body: {} })).status, 200);

    const wrong = await ask("POST", "/hooks", { body: { name: "jwt", patch: { header: null } } });
    assertEquals([wrong.body.place, wrong.body.expected], ["patch.header", "must be an object"]);
    const scoped = await ask("POST", "/hooks", { body: { name: "metadata", patch: {}, client: "app" } });
    assertMatch(scoped.body.error_description, /cannot be for one client/);
  });
});

test("merge patch: the examples of RFC 7396 hold", () => {
  const cases: readonly (readonly [value: unknown, patch: unknown, merged: unknown])[] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [["a", "b"], ["c", "d"], ["c", "d"]],
    [{ a: "foo" }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [value, patch, merged] of cases) assertEquals(mergePatch(value, patch), merged);
});

test("control: the list of requests waits for the next one, and shows secrets only with raw", async () => {
  await withControl(async (ask, as) => {
    const login = () => ask("POST", "/login", { body: { username: "bob" } });
    const waiting = ask("GET", "/requests?endpoint=token&client=app&wait=10");
    const { body: tokens } = await login();
    const { requests } = (await waiting).body;
    assertEquals(requests.length, 1);
    assertEquals([requests[0].person, requests[0].pkce, requests[0].raw], ["bob", "S256", undefined]);
    assert(!JSON.stringify(requests).includes(tokens.access_token));

    // It does not wait, because there is something.
    const nothing = ask("GET", "/requests?endpoint=revoke&wait=1").then(() => undefined);
    const first = await Promise.race([nothing, ask("GET", "/requests?wait=10")]);
    const known = first!.body.requests;
    await nothing;
    assertEquals(known.map((each: { endpoint: string }) => each.endpoint), ["authorize", "token"]);
    const next = ask("GET", `/requests?after=${known[1].id}&wait=10&raw=true`);
    await as.fetch(`${origin}/oauth2/jwks`);
    const [{ endpoint, raw }] = (await next).body.requests;
    assertEquals([endpoint, raw.request.path], ["jwks", "/oauth2/jwks"]);
    const whole = await ask("GET", "/requests?endpoint=token&raw=true");
    assert(whole.body.requests[0].raw.response.body.includes(tokens.access_token));
    assertEquals((await ask("GET", "/requests?client=nobody")).body.requests, []);
    // What is kept no more was before all that is.
    assertEquals((await ask("GET", "/requests?after=gone")).body.requests.length, 3);
  });
});

test("control: a call that waits for a request is answered when the mock ends", async () => {
  await using as = await createMock({ alg: "ES256" });
  const control = createControl(as);
  const request = new Request(`${origin}/_postern/requests?wait=30`);
  const waiting = control.answer(fromRequest(request, "127.0.0.1"));
  await as[Symbol.asyncDispose]();
  assertEquals(JSON.parse(`${(await waiting)!.body}`).requests, []);
});

test("control: the first POST makes a tenant, and it shares nothing", async () => {
  await withControl(async (ask, as) => {
    const acme = "/tenants/acme";
    assertEquals((await ask("POST", acme)).body, { issuer: `${origin}/acme` });
    assertEquals((await ask("GET", acme)).body, { issuer: `${origin}/acme` });
    await ask("POST", `${acme}/people`, { body: { username: "carol" } });
    await ask("POST", `${acme}/clock`, { body: { freeze: 2_000_000_000 } });
    const login = await ask("POST", `${acme}/login`, { body: { username: "carol", browser: "hers" } });
    assertEquals(decodeJwt(login.body.access_token).iss, `${origin}/acme`);
    assertEquals((await ask("POST", "/login", { body: { username: "carol" } })).status, 400);
    assertEquals(as.requests.token.length, 0);
    assert(as.clock.now < 2_000_000_000);
    const { refresh_token } = login.body;
    assertEquals((await ask("POST", "/refresh", { body: { refresh_token, client: "app" } })).status, 422);
    assertEquals((await ask("POST", `${acme}/refresh`, { body: { refresh_token } })).status, 200);
    await ask("POST", `${acme}/gates`, { body: { endpoint: "token", kind: "drop" } });
    assertEquals((await ask("GET", "/gates")).body.gates, []);
    await ask("POST", "/reset");
    assertEquals((await ask("POST", "/tenants/oauth2")).status, 400);
    assertEquals((await ask("GET", "/tenants/")).status, 404);
    assertEquals((await ask("GET", `${acme}/tenants`)).status, 404);
    assertEquals((await ask("GET", "/tenants/a%/clock")).status, 400);
  });
});

test("control: only a POST makes a tenant; tenants are listed, and a removed one is made anew", async () => {
  await withControl(async (ask) => {
    for (
      const [method, path] of [["GET", ""], ["HEAD", "/clock"], ["DELETE", ""], ["DELETE", "/people/bob"]]
    ) {
      assertEquals((await ask(method!, `/tenants/acme${path}`)).status, 404, path);
    }
    const patch = await ask("PATCH", "/tenants/acme/people/bob", { body: { claims: {} } });
    assertMatch(
      patch.body.error_description,
      /^There is no tenant "acme": there are none\. The first POST makes it$/,
    );
    assertEquals((await ask("GET", "/tenants")).body, { tenants: [] });

    await ask("POST", "/tenants/acme/people", { body: { username: "carol" } });
    await ask("POST", "/tenants/globex");
    assertEquals((await ask("GET", "/tenants")).body, { tenants: ["acme", "globex"] });
    await ask("POST", "/tenants/acme/gates", { body: { endpoint: "token", kind: "drop" } });
    assertEquals((await ask("DELETE", "/tenants/acme")).status, 204);
    assertEquals((await ask("GET", "/tenants")).body, { tenants: ["globex"] });
    assertEquals((await ask("DELETE", "/tenants/acme")).status, 404);

    assertEquals((await ask("POST", "/tenants/acme/login", { body: {} })).status, 200);
    assertEquals((await ask("GET", "/tenants/acme/gates")).body, { gates: [] });
    const { people } = (await ask("GET", "/tenants/acme/people")).body;
    assertEquals(people.map((each: { username: string }) => each.username), ["alice", "bob"]);
    for (const method of ["POST", "DELETE"]) assertEquals((await ask(method, "")).status, 405);
  });
});

test("control: a patch of a signed token changes its text, or its parts without a new signature", async () => {
  await withControl(async (ask) => {
    const mint = async (patch: Readonly<Record<string, unknown>>) => {
      const made = await ask("POST", "/hooks", { body: { name: "signed", patch, once: true } });
      assertEquals(made.status, 201);
      return (await ask("POST", "/mint", { body: {} })).body.token as string;
    };
    assertEquals(await mint({ text: "cut" }), "cut");
    const unsigned = await mint({
      header: { alg: "none", kid: null },
      claims: { role: "admin" },
      signature: "",
    });
    assertMatch(unsigned, /\.$/);
    assertEquals(decodeProtectedHeader(unsigned), { alg: "none", typ: "at+jwt" });
    assertEquals([decodeJwt(unsigned)["role"], decodeJwt(unsigned).sub], ["admin", "alice"]);
    const untouched = await mint({});
    assertMatch(untouched, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    const wrong = await ask("POST", "/hooks", { body: { name: "signed", patch: { alg: "none" } } });
    assertEquals([wrong.body.place, wrong.body.expected], [
      "patch.alg",
      "must be one of text, header, claims, signature",
    ]);
  });
});

test("control: the document describes each hook and what its patch may hold", async () => {
  await withControl(async (ask) => {
    const { components } = (await ask("GET", "/openapi.json")).body;
    const described = components.schemas.MakeHookBody.anyOf;
    assertEquals(described.map(({ title }: { title: string }) => title), hookNames);
    for (const { title, properties } of described) {
      const { about } = hookTable[title as HookName];
      assertEquals(properties.patch.description.startsWith(about), true, title);
    }
  });
});

test("control: a reset of the server removes its tenants, and a reset of a tenant its own gates and hooks only", async () => {
  await withControl(async (ask, as) => {
    const fill = async (below: string) => {
      await ask("POST", `${below}/gates`, { body: { endpoint: "page", kind: "hold" } });
      await ask("POST", `${below}/hooks`, { body: { name: "userinfo", patch: {} } });
    };
    const count = async (below: string) => [
      (await ask("GET", `${below}/gates`)).body.gates.length,
      (await ask("GET", `${below}/hooks`)).body.hooks.length,
    ];
    for (const below of ["", "/tenants/acme"]) await fill(below);
    await ask("POST", "/tenants/acme/reset");
    assertEquals([await count(""), await count("/tenants/acme")], [[1, 1], [0, 0]]);
    await fill("/tenants/acme");
    await ask("POST", "/tenants/acme/login", { body: { username: "bob", scope: "openid", browser: "his" } });
    await ask("POST", "/tenants/acme/people", { body: { username: "carol" } });
    assertEquals((await ask("POST", "/reset")).status, 204);
    assertEquals((await ask("GET", "/tenants")).body, { tenants: [] });
    assertEquals((await ask("GET", "/tenants/acme/gates")).status, 404);
    const metadata = await as.fetch(`${origin}/.well-known/oauth-authorization-server/acme`);
    assertEquals((await metadata.json()).issuer, undefined);
    await ask("POST", "/tenants/acme");
    assertEquals([await count(""), await count("/tenants/acme")], [[0, 0], [0, 0]]);
    const { people } = (await ask("GET", "/tenants/acme/people")).body;
    assertEquals(people.length, 2);
    const url = authorizeUrl(`${origin}/acme`, { scope: "openid", prompt: "none" });
    const answered = await ask("POST", "/tenants/acme/authorize", { body: { url, browser: "his" } });
    assertMatch(answered.body.url, /error=login_required/);
  });
});

test("control: a request that runs at a tenant while a reset removes it gets no tokens", async () => {
  await withControl(async (ask) => {
    await ask("POST", "/tenants/acme/gates", { body: { endpoint: "token", kind: "hold" } });
    const running = ask("POST", "/tenants/acme/login", { body: { username: "bob" } });
    await ask("GET", "/tenants/acme/gates/gate-1?arrived=1&wait=5");
    assertEquals((await ask("POST", "/reset")).status, 204);
    const { status, body } = await running;
    assertEquals([status, body.access_token], [422, undefined]);
    assertMatch(body.error_description, /was reset while this request was running/);
  });
});

test("control: a refused call makes no tenant, unless the tenant has answered a request", async () => {
  await withControl(async (ask, as) => {
    const names = async () => (await ask("GET", "/tenants")).body.tenants;
    const refused: readonly (readonly [path: string, body: unknown])[] = [
      ["clock", { advance: "foo" }],
      ["people", { username: "alice" }],
      ["next_sign_in", { username: "nobody" }],
      ["gates/gate-1/release", {}],
      ["refresh", { refresh_token: "unknown" }],
    ];
    for (const [path, body] of refused) {
      assert((await ask("POST", `/tenants/acme/${path}`, { body })).status >= 400, path);
      assertEquals(await names(), [], path);
    }
    const metadata = await as.fetch(`${origin}/acme/.well-known/openid-configuration`);
    assertEquals(metadata.status, 404);
    await metadata.body?.cancel();

    const meanwhile = ask("POST", "/tenants/acme/login", { body: {} });
    assertEquals((await ask("POST", "/tenants/acme/clock", { body: { advance: "foo" } })).status, 400);
    assertEquals([(await meanwhile).status, await names()], [200, ["acme"]]);
    assertEquals((await ask("POST", "/tenants/acme/clock", { body: { advance: "foo" } })).status, 400);
    assertEquals(await names(), ["acme"]);

    await ask("POST", "/tenants/initech/people", { body: { username: "carol" } });
    await ask("POST", "/tenants/initech/people", { body: { username: "carol" } });
    assertEquals(await names(), ["acme", "initech"]);
    const said = await ask("POST", "/tenants/globex/login", { body: { deny: true } });
    assertEquals([said.status, await names()], [422, ["acme", "initech", "globex"]]);
    assertMatch((await ask("GET", "/tenants/globex/explain")).body.explanation, /^access_denied/);
  });
});

test("control: operations that take tokens take a whole token response", async () => {
  await withControl(async (ask, as) => {
    await ask("POST", "/hooks", { body: { name: "token_response", patch: { members: { extra: [1] } } } });
    for (const scope of ["openid offline_access", "offline_access"]) {
      const login = (await ask("POST", "/login", { body: { username: "bob", scope } })).body;
      assertEquals(login.extra, [1]);
      const refreshed = await ask("POST", "/refresh", { body: login });
      assertEquals([refreshed.status, refreshed.body.scope], [200, login.scope]);
      const ended = await ask("POST", "/end_session", { body: refreshed.body });
      assertEquals([ended.status, as.requests.logout.last?.status], [204, 200]);
      const revoked = await ask("POST", "/revoke", { body: refreshed.body });
      assertEquals([revoked.status, as.requests.revoke.last?.status], [204, 200]);
      const { refresh_token } = refreshed.body;
      assertEquals((await ask("POST", "/refresh", { body: { refresh_token } })).status, 422);
    }
  });
});

test("control: end_session ends a session that authorize began in the named browser", async () => {
  await withControl(async (ask, as) => {
    const url = authorizeUrl(origin, { scope: "openid" });
    const { body } = await ask("POST", "/authorize", { body: { url, username: "alice", browser: "b1" } });
    const response = await as.fetch(`${origin}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: "app",
        code: new URL(body.url).searchParams.get("code")!,
        redirect_uri: "https://app.test/callback",
        code_verifier: verifier,
      }),
    });
    const { id_token } = await response.json();
    const silent = authorizeUrl(origin, { scope: "openid", prompt: "none" });
    const answered = async () =>
      new URL((await ask("POST", "/authorize", { body: { url: silent, browser: "b1" } })).body.url)
        .searchParams;

    const unnamed = await ask("POST", "/end_session", { body: { id_token } });
    assertMatch(unnamed.body.error_description, /give \{ browser \}$/);
    // Named by a call that was refused, it has been nowhere.
    assertEquals((await ask("POST", "/login", { body: { username: "nobody", browser: "b2" } })).status, 400);
    const misspelt = await ask("POST", "/end_session", { body: { id_token, browser: "b2" } });
    assertEquals([misspelt.status, misspelt.body.place], [400, "browser"]);
    assertMatch(misspelt.body.error_description, /"b2": known are b1$/);
    assertEquals((await ask("POST", "/end_session", { body: {} })).status, 400);
    assert((await answered()).has("code"));
    assertEquals((await ask("POST", "/end_session", { body: { id_token, browser: "b1" } })).status, 204);
    assertEquals((await answered()).get("error"), "login_required");

    await ask("POST", "/authorize", { body: { url, username: "alice", browser: "b1" } });
    assertEquals((await ask("POST", "/end_session", { body: { browser: "b1" } })).status, 204);
    assertEquals((await answered()).get("error"), "login_required");
  });
});

test("control: JSON may be nested 100 deep, and brackets in strings do not count", async () => {
  await withControl(async (ask) => {
    const nested = (depth: number) => '{"patch":'.repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    const hook = (depth: number) =>
      ask("POST", "/hooks", { body: `{"name":"userinfo","patch":${nested(depth - 1)}}` });
    assertEquals((await hook(100)).status, 201);
    for (const depth of [101, 90_000]) {
      const said = await hook(depth);
      assertEquals([said.status, said.body.error, said.body.expected], [
        400,
        "invalid_request",
        "must be nested 100 deep or less",
      ]);
    }
    const claims = { nickname: `\\"${"[".repeat(500)}` };
    assertEquals((await ask("POST", "/people", { body: { username: "carol", claims } })).status, 201);
  });
});

test("control: an error about a body that is not JSON does not quote it", async () => {
  await withControl(async (ask) => {
    for (const body of ["canary", '{"password": canary}', '{"password": "canary', '{"a": 1} canary']) {
      const said = await ask("POST", "/login", { body });
      assertEquals([said.status, said.body.error], [400, "invalid_request"]);
      assert(!JSON.stringify(said.body).includes("canary"), JSON.stringify(said.body));
    }
  });
});

test("control: an error about a body or a query has the place, and the call changes nothing", async () => {
  await withControl(async (ask, as) => {
    const attempts: readonly (readonly [path: string, body: unknown, place: string, expected: RegExp])[] = [
      ["/login", { username: 7 }, "username", /^must be a string$/],
      ["/login", { user: "bob" }, "user", /^must be one of username, client, /],
      ["/login", { resource: ["a", ""] }, "resource[1]", /^must not be empty$/],
      ["/people", { claims: {} }, "username", /^must be a string$/],
      ["/gates", { kind: "hold" }, "endpoint", /^must be one of authorize, sign_in, /],
      ["/hooks", { name: "jwt", patch: { alg: "none" } }, "patch.alg", /^must be one of header, claims$/],
      ["/gates", { endpoint: "token", kind: "delay" }, "by", /^a duration: /],
      [
        "/clients",
        { client_id: "x", redirect_uris: "https://x.test/" },
        "redirect_uris",
        /^must be an array of strings$/,
      ],
      ["/gates", { endpoint: "tokens", kind: "hold" }, "endpoint", /^must be one of authorize, sign_in, /],
      ["/gates", { endpoint: "token", kind: "hold", count: 0 }, "count", /^must be an integer of 1 or more$/],
      ["/hooks", { name: "id_token", patch: [] }, "patch", /^must be an object$/],
      ["/clock", { resume: false }, "resume", /^must be true/],
    ];
    for (const [path, body, place, expected] of attempts) {
      const said = await ask("POST", path, { body });
      assertEquals([said.status, said.body.error, said.body.place], [400, "invalid_request", place], path);
      assertMatch(said.body.expected, expected);
    }
    const one = await ask("POST", "/clock", { body: { advance: 1, skew: 1 } });
    assertEquals(one.body.expected, "exactly one of advance, set, freeze, resume, skew");
    const unread = await ask("POST", "/clock", { body: { advance: "soon" } });
    assertMatch(unread.body.error_description, /^Cannot read a duration: .*but got "soon"$/);
    assert(unread.body.error_description.includes(`: expected ${unread.body.expected}, but got`));
    assertEquals(
      (await ask("POST", "/login", { body: [] })).body.error_description,
      "the body must be an object",
    );
    assertMatch(
      (await ask("POST", "/login", { body: "{" })).body.error_description,
      /^The body is not JSON$/,
    );
    const form = await ask("POST", "/login", { body: "a=b", headers: { "content-type": "text/plain" } });
    assertEquals([form.status, form.body.place], [415, "Content-Type"]);
    assertEquals((await ask("POST", "/login", { body: `"${"x".repeat(1_000_001)}"` })).status, 413);
    assertEquals((await ask("POST", "/reset", { body: {} })).status, 400);
    for (
      const query of ["wait=31", "wait=-1", "wait=soon", "raw=yes", "endpoint=x", "after=", "wait=1&wait=2"]
    ) {
      const said = await ask("GET", `/requests?${query}`);
      assertEquals([said.status, said.body.place], [400, `?${query.split("=")[0]}`], query);
    }
    for (const wait of ["-1", "31", "9".repeat(40)]) {
      assertEquals(
        (await ask("GET", `/requests?wait=${wait}`)).body.expected,
        "must be an integer from 0 to 30",
        wait,
      );
    }
    const { body: unknown } = await ask("GET", "/clock?now=1");
    assertEquals(unknown.error_description, "?now is not known: there are none");
    assertEquals(unknown.expected, "must be left out");
    const { body: missing } = await ask("POST", "/people", { body: { claims: {} } });
    assertEquals(missing.error_description, "username is required");
    assertEquals([as.requests.length, as.people.all.length, as.clients.all.length], [0, 2, 2]);
  });
});

test("control: an error about an unknown person or client says how to add one, in HTTP", async () => {
  await withControl(async (ask, as) => {
    await ask("POST", "/tenants/acme");
    const url = authorizeUrl(origin);
    const person = { username: "zed" };
    const missing: readonly (readonly [path: string, body: unknown])[] = [
      ["/login", person],
      ["/authorize", { url, ...person }],
      ["/next_sign_in", person],
      ["/mint", person],
      ["/forge", { name: "revoked", ...person }],
      ["/hooks", { name: "id_token", patch: { role: 1 }, ...person }],
    ];
    for (const [path, body] of missing) {
      const said = await ask("POST", path, { body });
      assertEquals([said.status, said.body], [400, {
        error: "invalid_request",
        error_description: 'There is no person "zed": known are alice, bob. ' +
          'Add one with POST /_postern/people {"username":"zed"}',
        place: "username",
        expected: "must be one of alice, bob",
      }], path);
    }
    const added = 'POST /_postern/tenants/acme/clients {"client_id":"my-app","redirect_uris":';
    for (const path of ["/login", "/mint"]) {
      const said = await ask("POST", `/tenants/acme${path}`, { body: { client: "my-app" } });
      assert(said.body.error_description.includes(added), said.body.error_description);
      assertEquals([said.body.place, said.body.expected], ["client", "must be one of app, app-confidential"]);
    }
    const environment = await ask("GET", "/env?client=my-app");
    assertEquals([environment.status, environment.body.place], [400, "?client"]);

    // Following the advice works.
    const advice = (await ask("POST", "/login", { body: { client: "my-app" } })).body.error_description;
    const [, path, body] = /Add one with POST \/_postern(\S+) (.*)$/.exec(advice) ?? [];
    assertEquals((await ask("POST", path!, { body: body! })).status, 201);
    assertEquals((await ask("POST", "/login", { body: { client: "my-app" } })).status, 200);

    for (const { client_id: id } of as.clients.all) as.clients.remove(id);
    for (
      const [path, body] of [
        ["/login", {}],
        ["/mint", {}],
        ["/forge", { name: "revoked" }],
        ["/mint", { itself: true }],
      ] as const
    ) {
      const said = await ask("POST", path, { body });
      assertEquals([said.status, said.body.place], [400, "client"], path);
      assertMatch(
        said.body.error_description,
        /Add one with POST \/_postern\/clients \{"client_id":"my-app",/,
      );
    }
    for (const { username } of as.people.all) as.people.remove(username);
    const nobody = await ask("POST", "/authorize", { body: { url } });
    assertMatch(
      nobody.body.error_description,
      /^No people are configured\. Add one with POST \/_postern\/people \{"username":"alice"\}$/,
    );
  });
});

test("control: errors of the kit are worded for HTTP, and have the place", async () => {
  await withControl(async (ask) => {
    const foreign = "https://evil.test/oauth2/authorize?client_id=app&state=secret";
    const attempts: readonly (readonly [path: string, body: unknown, place: string, expected: RegExp])[] = [
      ["/authorize", { url: foreign }, "url", /^must be below https:\/\/as\.test\/, /],
      ["/authorize", { url: "https://as.test.evil.test/x" }, "url", /^must be below https:\/\/as\.test\/, /],
      [
        "/clock",
        { freeze: false },
        "freeze",
        /^must be true for now, or seconds since 1970 as a number, or text /,
      ],
      [
        "/clock",
        { set: "tomorrow" },
        "set",
        /^must be seconds since 1970 as a number, or text with a time zone/,
      ],
      ["/clock", { set: 1_893_456_000_000 }, "set", /^a time from 1970 to 5138$/],
      ["/clock", { set: [] }, "set", /^must be a number or a string$/],
      ["/clock", { advance: "soon" }, "advance", /^seconds as a number, or text with the units /],
      ["/clock", { advance: -1 }, "advance", /^a duration of 0 or more$/],
      ["/clock", { skew: true }, "skew", /^must be a number or a string$/],
      ["/gates", { endpoint: "token", kind: "delay", by: "soon" }, "by", /^seconds as a number, or text /],
      ["/mint", { expiresIn: "soon" }, "expiresIn", /^seconds as a number, or text /],
      ["/mint", { expiresIn: 0 }, "expiresIn", /^must be a second or more: \/expire and \/forge /],
      ["/login", { scope: 7 }, "scope", /^must be a string or an array of strings$/],
      ["/login", { scope: ["openid", ""] }, "scope[1]", /^must not be empty$/],
      ["/mint", { resource: "" }, "resource", /^must not be empty$/],
    ];
    for (const [path, body, place, expected] of attempts) {
      const said = await ask("POST", path, { body });
      const told = JSON.stringify([path, body, said.body]);
      assertEquals([said.status, said.body.error, said.body.place], [400, "invalid_request", place], told);
      assertMatch(said.body.expected, expected);
      assert(!/\bas\.(?!test)|\bDate\b|\{ \w+: |secret/.test(said.body.error_description), told);
    }
    await ask("POST", "/gates", { body: { endpoint: "token", kind: "drop", count: 1 } });
    assertMatch(
      (await ask("POST", "/login", { body: {} })).body.error_description,
      /^The answer is lost: a drop cut /,
    );
    const nothing = await ask("POST", "/revoke", { body: {} });
    assertEquals([nothing.status, nothing.body.error_description], [400, "There is no token to revoke"]);
  });
});

test("control: a hook for an unknown client is refused, unless the client may come by first use", async () => {
  const hook = { name: "id_token", patch: { role: 1 } };
  const shop = { body: { ...hook, client: "shop" } };
  await withControl(async (ask, as) => {
    assertEquals((await ask("POST", "/hooks", shop)).status, 201);
    assertEquals((await ask("GET", "/requests?client=shop")).status, 200);
    assertEquals((await ask("POST", "/hooks", { body: { ...hook, username: "zed" } })).status, 400);
    assertEquals((await ask("GET", "/hooks")).body.hooks.length, 1);
    // A refused hook decides no sign-in.
    assertEquals((await ask("POST", "/hooks", { body: { ...hook, client: "app" } })).status, 201);
    const { body } = await ask("POST", "/authorize", { body: { url: authorizeUrl(origin) } });
    assertMatch(body.url, /code=/);
    assertEquals(as.requests.authorize.last?.person, "alice");
  });
  await withControl(async (ask) => {
    const { status, body } = await ask("POST", "/hooks", shop);
    assertEquals([status, body.place, body.expected], [400, "client", "must be one of app"]);
    assertEquals((await ask("GET", "/hooks")).body, { hooks: [] });
    assertEquals((await ask("POST", "/hooks", { body: { ...hook, client: "app" } })).status, 201);
    await ask("POST", "/login", { body: {} });
    await ask("DELETE", "/clients/app");
    assertEquals((await ask("GET", "/requests?client=app")).body.requests.length, 2);
  }, { options: { clients: [{ client_id: "app", redirect_uris: ["https://app.test/callback"] }] } });
});

test("control: an error about an entry has the place in the body", async () => {
  await withControl(async (ask) => {
    const bad = { client_id: "bad", redirect_uris: ["https://bad.test/cb", "http://bad.test/cb"] };
    const added = await ask("POST", "/clients", { body: bad });
    assertEquals([added.status, added.body.place], [400, "redirect_uris[1]"]);
    assertMatch(added.body.error_description, /^Cannot add to clients: redirect_uris\[1\] must be https/);
    const changed = await ask("PATCH", "/clients/app", { body: { redirect_uris: ["http://bad.test/cb"] } });
    assertEquals(changed.body.place, "redirect_uris[0]");
    const subject = await ask("PATCH", "/people/bob", { body: { sub: "alice" } });
    assertEquals(subject.body.place, "sub");
    // The error is about another entry than the one in the body.
    await ask("POST", "/clients", { body: { ...bad, redirect_uris: [] } });
    const named = await ask("PATCH", "/clients/bad", { body: { client_id: "bob" } });
    assertEquals([named.status, named.body.place], [400, undefined]);
    assertMatch(
      named.body.error_description,
      /^Cannot change clients: \w+ of "bob" .*must not be the id of a client/,
    );
    const none = await ask("DELETE", "/clients/nope");
    assertEquals(none.status, 404);
    for (const id of ["app", "app-confidential", "bad"]) await ask("DELETE", `/clients/${id}`);
    assertMatch(
      (await ask("DELETE", "/clients/app")).body.error_description,
      /^The client "app" is not known: there are none$/,
    );
  });
});

test("control: the clock shows how it was moved", async () => {
  await withControl(async (ask, as) => {
    const read = async () => {
      const { body } = await ask("GET", "/clock");
      return [body.frozen, body.skew, Math.round((body.serverNow - body.now) * 1000) / 1000];
    };
    assertEquals(await read(), [false, 0, 0]);
    await ask("POST", "/clock", { body: { freeze: 1_893_456_000 } });
    const skewed = await ask("POST", "/clock", { body: { skew: "-90s" } });
    assertEquals(skewed.body, (await ask("GET", "/clock")).body);
    assertEquals(skewed.body, {
      now: 1_893_456_000,
      date: "2030-01-01T00:00:00.000Z",
      frozen: true,
      skew: -90,
      serverNow: 1_893_455_910,
    });
    await as.fetch(`${origin}/oauth2/jwks`);
    assertEquals((await ask("GET", "/requests")).body.requests[0].at, skewed.body.serverNow);
    await ask("POST", "/clock", { body: { resume: true } });
    assertEquals(await read(), [false, -90, -90]);
  });
});

test("control: durations of requests are rounded to milliseconds", async () => {
  let now = 1_763_668_800.1;
  const time = () => now += 0.001;
  await withControl(async (ask, as) => {
    await ask("POST", "/login", { body: {} });
    const { requests } = (await ask("GET", "/requests?raw=true")).body;
    assert(as.requests.some(({ duration }) => String(duration).length > 6), "no float was long");
    for (const { duration, raw } of requests) {
      assertMatch(String(duration), /^0\.\d{1,3}$/);
      assertEquals(raw.duration, duration);
    }
  }, { options: { time } });
});

test("control: scope and resource are text or a list, and a person is always a username", async () => {
  await withControl(async (ask, as) => {
    const api = "https://api.test/";
    const login = { scope: ["openid", "offline_access"], resource: api };
    const { access_token, refresh_token } = (await ask("POST", "/login", { body: login })).body;
    assertEquals([decodeJwt(access_token)["scope"], decodeJwt(access_token).aud], [
      "openid offline_access",
      api,
    ]);
    const refreshed = await ask("POST", "/refresh", {
      body: { refresh_token, scope: ["openid"], resource: [api] },
    });
    assertEquals(refreshed.body.scope, "openid");
    for (const scope of [["a", "b"], "a b"]) {
      const { token } = (await ask("POST", "/mint", { body: { scope, resource: [api] } })).body;
      assertEquals(decodeJwt(token)["scope"], "a b");
    }
    // The names of the kit are accepted as well.
    const url = authorizeUrl(origin);
    for (const body of [{ url, username: "bob" }, { url, as: "bob" }]) {
      await ask("POST", "/authorize", { body });
      assertEquals(as.requests.authorize.last?.person, "bob");
    }
    for (const body of [{ username: "bob" }, { person: "bob" }]) {
      const { token } = (await ask("POST", "/mint", { body })).body;
      assertEquals(decodeJwt(token).sub, "bob");
      const hook = await ask("POST", "/hooks", { body: { name: "id_token", patch: {}, ...body } });
      assertEquals(hook.body.username, "bob");
      assertEquals((await ask("POST", "/next_sign_in", { body })).status, 204);
    }
    const both = await ask("POST", "/mint", { body: { username: "bob", person: "alice" } });
    assertEquals([both.status, both.body.place], [400, "person"]);
    assertEquals((await ask("POST", "/people", { body: { person: "carol" } })).status, 400);
  });
});

test("control: an unknown path is 404, and another method 405 with the allowed ones", async () => {
  await withControl(async (ask, as) => {
    assertEquals((await ask("GET", "/nothing")).status, 404);
    assertEquals((await ask("GET", "/people/")).status, 404);
    await ask("POST", "/tenants/acme");
    assertEquals((await ask("PUT", "/tenants/acme")).headers.get("allow"), "GET, HEAD, POST, DELETE");
    const wrong = await ask("PUT", "/tenants/acme/people", { body: {} });
    assertEquals([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD, POST"]);
    assertEquals((await ask("DELETE", "/openapi.json")).headers.get("allow"), "GET, HEAD");
    const options = await ask("OPTIONS", "/login");
    assertEquals([options.status, options.headers.get("access-control-allow-origin")], [405, null]);
    const head = await ask("HEAD", "/clock");
    assertEquals([head.status, head.body], [200, ""]);
    const control = createControl(as);
    for (const path of ["/", "/_posternx", "/x/_postern", "/oauth2/jwks"]) {
      assertEquals(control.answer(fromRequest(new Request(origin + path), "127.0.0.1")), undefined, path);
    }
  });
});

test("control: with a token, every request needs it", async () => {
  const token = "correct-horse-battery";
  await withControl(async (ask) => {
    for (const path of ["/clock", "/openapi.json", "/nothing", "/tenants/acme/clock"]) {
      const said = await ask("GET", path);
      assertEquals([said.status, said.body.error], [401, "invalid_token"], path);
      assertEquals(said.headers.get("www-authenticate"), 'Bearer realm="postern control"');
    }
    for (
      const wrong of ["Bearer wrong", `Basic ${token}`, "Bearer", `Bearer ${token}x`, `Bearer ${token}, x`]
    ) {
      const said = await ask("GET", "/clock", { headers: { authorization: wrong } });
      assertEquals(said.status, 401, wrong);
      assert(!JSON.stringify(said.body).includes(token));
    }
    const authorization = `Bearer ${token}`;
    assertEquals((await ask("GET", "/clock", { headers: { authorization } })).status, 200);
    const { body } = await ask("GET", "/openapi.json", { headers: { authorization } });
    assertEquals(body.security, [{ token: [] }]);
    assert(!JSON.stringify(body).includes(token));
  }, { terms: { token } });
  await using as = await createMock({ alg: "ES256" });
  assertThrows(() => createControl(as, { token: "" }), TypeError, "its token must be letters");
});

test("control: other machines are refused, unless the control plane is open", async () => {
  await withControl(async (ask) => {
    const peers = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"];
    for (const peer of peers) assertEquals((await ask("GET", "/clock", { peer })).status, 200, peer);
    for (const peer of ["192.168.1.7", "::ffff:10.0.0.1", "fe80::1", null]) {
      const said = await ask("GET", "/clock", { peer });
      assertEquals([said.status, said.body.error], [403, "access_denied"], `${peer}`);
    }
    const proxies = ["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"];
    for (const name of [...proxies, "x-forwarded-for", "x-forwarded-host", "X-Forwarded-Proto"]) {
      assertEquals((await ask("GET", "/clock", { headers: { [name]: "127.0.0.1" } })).status, 403, name);
    }
  });
  await withControl(async (ask) => {
    assertEquals((await ask("GET", "/clock", { peer: "192.168.1.7" })).status, 200);
  }, { terms: { open: true } });
});

test("control: web pages are refused", async () => {
  await withControl(async (ask, as) => {
    const pages: readonly Readonly<Record<string, string>>[] = [
      { origin: "https://evil.test" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of pages) {
      const said = await ask("POST", "/reset", { headers });
      assertEquals([said.status, said.headers.get("access-control-allow-origin")], [403, null]);
    }
    const rebound = await ask("GET", "/clock", { at: "http://evil.test" });
    assertEquals([rebound.status, rebound.body.place], [421, "Host"]);
    assertEquals((await ask("GET", "/clock", { at: "http://localhost.evil.test" })).status, 421);
    for (const at of ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000", as.issuer]) {
      const headers = { origin: at, "sec-fetch-site": "same-origin" };
      const said = await ask("GET", "/clock", { at, headers });
      assertEquals([said.status, said.headers.get("set-cookie")], [200, null], at);
    }
    assertEquals((await ask("GET", "/clock", { headers: { "sec-fetch-site": "none" } })).status, 200);
  });
});

test("control: the document has every route with its schemas, for the server and for tenants", async () => {
  await withControl(async (ask) => {
    const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
    assertEquals([document.openapi, document.servers], ["3.1.0", [{ url: "/_postern" }]]);
    const problem = document.components.responses["Refused"]?.content?.["application/json"]?.schema;
    assertEquals(resolve(problem, document), problemSchema);
    for (const { method, path, only, schema } of controlRoutes) {
      for (const [scope, below] of [["server", ""], ["tenant", "/tenants/{tenant}"]] as const) {
        if ((only ?? scope) !== scope) continue;
        const shown = document.paths[below + path || "/"]?.[method.toLowerCase()];
        assert(shown !== undefined, `${method} ${below}${path}`);
        assertEquals(
          resolve(shown.requestBody?.content["application/json"]?.schema, document),
          schema.body,
        );
        const inQuery = shown.parameters?.filter((each) => each.in === "query") ?? [];
        assertEquals(
          Object.fromEntries(inQuery.map((each) => [each.name, resolve(each.schema, document)])),
          schema.query?.properties ?? {},
        );
        const status = `${schema.answer === undefined ? 204 : schema.answer.status ?? 200}`;
        assertEquals(Object.keys(shown.responses), [status, "4XX"]);
        const { content = {} } = shown.responses[status] as OpenApiResponse;
        for (const each of Object.values(content)) {
          assertEquals(resolve(each.schema, document), schema.answer?.schema);
        }
      }
    }
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const once = controlRoutes.filter(({ only }) => only !== undefined).length;
    assertEquals(operations.length, 2 * (controlRoutes.length + 1) - once);
    assertEquals(new Set(operations.map((each) => each.operationId)).size, operations.length);
  });
});

test("control: the document has the patches of each hook, and all members of a gate", async () => {
  await withControl(async (ask) => {
    const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
    const { requestBody, responses } = document.paths["/hooks"]!["post"]!;
    const body = resolve(requestBody!.content["application/json"]!.schema, document) as Schema;
    const alternatives = body.anyOf!;
    const names = alternatives.map(({ properties }) => properties?.["name"]?.const);
    assertEquals(names, [...body.properties!["name"]!.enum!]);
    for (
      const patch of [{ status: 503, members: {} }, { status: 1 }, { keys: [] }, { header: 1 }, { x: 1 }]
    ) {
      for (const name of names) {
        const asked = { name, patch };
        const { status } = await ask("POST", "/hooks", { body: asked });
        const fitting = alternatives.filter((each) => checkSchema(asked, each) === undefined).length;
        assertEquals(fitting, status === 201 ? 1 : 0, JSON.stringify(asked));
      }
    }
    const made = (response: unknown) =>
      resolve((response as OpenApiResponse).content?.["application/json"]?.schema, document) as Schema;
    const told = Object.keys(made(responses["201"]).properties!);
    assertEquals(told, ["id", "name", "patch", "once", "client", "username", "used"]);
    for (const [path, method] of [["/gates", "post"], ["/gates/{gate}", "get"]] as const) {
      const [answer] = Object.values(document.paths[path]![method]!.responses);
      const { properties } = made(answer);
      assertEquals(properties?.["count"]?.type, "integer");
      assertMatch(properties?.["by"]?.description ?? "", /Seconds as a number, or text/);
    }
  });
});

test("control: the document names each schema once, so that code generators make one type of it", async () => {
  await withControl(async (ask) => {
    const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
    const { schemas } = document.components;
    const told = JSON.stringify(document);
    for (const name of Object.keys(schemas)) {
      assert(told.includes(`"#/components/schemas/${name}"`), `nothing is a ${name}`);
    }
    for (
      const name of ["RecordedRequest", "Refusal", "Tokens", "Person", "Client", "Gate", "Hook", "Clock"]
    ) {
      assert(schemas[name] !== undefined, name);
    }
    // In the operations, every object and every enum has a name.
    assertEquals(/.{0,80}"(?:properties|enum)":/.exec(JSON.stringify(document.paths)), null);
    // So does a member that three schemas share.
    for (const member of ["jwks", "subject_type", "id_token_signed_response_alg"]) {
      assertEquals(told.split(`"${member}":{"$ref":`).length - 1, 3, member);
    }
    const whole = Object.values(schemas).map((each) => JSON.stringify(resolve(each, document)));
    assertEquals(new Set(whole).size, whole.length);
  });
});

test("control: recorded requests have the members that the document describes, and all of them occur", async () => {
  await withControl(async (ask, as) => {
    const signOut = "https://shop.test/signed-out";
    const shop = {
      client_id: "shop",
      redirect_uris: ["https://shop.test/cb"],
      backchannel_logout_uri: signOut,
    };
    as.clients.add(shop);
    const resource = "https://api.test/";
    const { body: tokens } = await ask("POST", "/login", {
      body: { client: "shop", resource, username: "bob" },
    });
    await ask("POST", "/end_session", { body: tokens });
    await ask("POST", "/refresh", { body: { refresh_token: "canary", client: "app" } });
    as.clients.add({ client_id: "raw", client_secret: "a+b" });
    await (await as.fetch(`${origin}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("raw:a+b")}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    })).text();
    await ask("POST", "/hooks", { body: { name: "jwks", patch: { keys: [] } } });
    using _fault = as.on("metadata", () => {
      throw new Error("a fault");
    });
    for (const path of ["/oauth2/jwks", "/.well-known/openid-configuration"]) {
      await (await as.fetch(origin + path)).text();
    }
    await ask("POST", "/gates", { body: { endpoint: "token", kind: "drop", count: 1 } });
    await ask("POST", "/login", { body: {} });
    const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
    const schema = resolve(document.components.schemas["RecordedRequest"], document) as Schema;
    const { requests } = (await ask("GET", "/requests?raw=true")).body;
    const closed: Schema = { ...schema, additionalProperties: false };
    for (const each of requests) assertEquals(checkSchema(each, closed), undefined, JSON.stringify(each));
    const seen = new Set<string>(requests.flatMap((each: object) => Object.keys(each)));
    assertEquals(Object.keys(schema.properties!).filter((name) => !seen.has(name)), []);
    const refusal = schema.properties!["refusal"]!;
    assertEquals(Object.keys(refusal.properties!), [
      ...["error", "reason", "description", "spec", "expected", "received", "remedy"],
    ]);
    // The schema refuses text as a number.
    assertEquals(checkSchema({ ...requests[0], at: "now" }, schema)?.place, "at");
    const shown = requests.filter((each: { refusal?: object }) => each.refusal !== undefined);
    assert(shown.length > 0);
    for (const { refusal: given } of shown) {
      assertEquals(checkSchema(given, { ...refusal, additionalProperties: false }), undefined);
    }
  }, { options: { fetch: () => Promise.resolve(new Response(null, { status: 200 })) } });
});

test("control: the examples in the document fit their schemas, and have no secrets", async () => {
  await withControl((ask) =>
    walk(ask, (_operation, { body }) => {
      if (body === undefined) return Promise.resolve();
      const [example] = body.examples ?? [];
      assert(example !== undefined);
      assertEquals(checkSchema(example, body), undefined);
      assert(!/"(client_secret|password)":|eyJ/.test(JSON.stringify(example)));
      return Promise.resolve();
    })
  );
});

test("control: every operation answers as the document says", async () => {
  await withControl(async (ask) => {
    await walk(ask, async (operation, { method, path, body, answers }) => {
      const below = path.startsWith("/tenants/") ? "/tenants/acme" : "";
      await ask("POST", `${below}/reset`);
      const issuer = (await ask("GET", below)).body.issuer;
      const gate =
        (await ask("POST", `${below}/gates`, { body: { endpoint: "page", kind: "hold" } })).body.id;
      const hook = (await ask("POST", `${below}/hooks`, { body: { name: "userinfo", patch: {} } })).body.id;
      const tokens = (await ask("POST", `${below}/login`, { body: {} })).body;
      const ids = { tenant: "acme", username: "bob", client_id: "app", gate, hook };
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => ids[name as keyof typeof ids]);
      const real = { ...tokens, token: tokens.access_token, url: authorizeUrl(issuer) };
      const [example] = body?.examples ?? [];
      const sent = example === undefined ? undefined : Object.fromEntries(
        Object.entries(example as object).map(([name, value]) => [name, real[name] ?? value]),
      );
      const said = await ask(method.toUpperCase(), filled, {
        ...(sent === undefined ? {} : { body: sent }),
      });
      const schema = answers[said.status];
      assert(schema !== undefined, `${operation}: ${said.status} ${JSON.stringify(said.body)}`);
      if (schema !== "nothing") assertEquals(checkSchema(said.body, schema), undefined, operation);
    });
  });
});

/** Replaces references by the schemas that they name. */
function resolve(value: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, document));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(`${value.$ref}`)?.[1] ?? "";
    const found = document.components.schemas[name];
    assert(found !== undefined, `${value.$ref}`);
    return resolve(found, document);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolve(member, document)]),
  );
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: Schema | undefined;
  /** The answers by status, without refusals. */
  readonly answers: Readonly<Record<number, Schema | "nothing">>;
}

async function walk(ask: Ask, look: (id: string, operation: Operation) => Promise<void>): Promise<void> {
  const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, requestBody, responses }] of Object.entries(methods)) {
      const answers = Object.entries(responses).flatMap(([status, response]) => {
        if ("$ref" in response) return [];
        const { content = {} } = response;
        const { schema } = Object.values(content)[0] ?? {};
        return [[status, schema === undefined ? "nothing" : resolve(schema, document) as Schema]];
      });
      await look(operationId, {
        method,
        path,
        body: resolve(requestBody?.content["application/json"]?.schema, document) as Schema | undefined,
        answers: Object.fromEntries(answers),
      });
    }
  }
}
