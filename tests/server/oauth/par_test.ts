/** Pushed authorization requests (RFC 9126): what the endpoint accepts, and how the browser uses a reference. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  authorizationParams,
  basic,
  callbackParams,
  createBrowser,
  createWorld,
  encodeForm,
  inWorld,
  type Params,
  redirectUri,
  withoutClients,
  type World,
  type WorldOptions,
} from "../../world.ts";
import {
  assertCannotCreate,
  assertCode,
  assertRefusedByRedirect,
  assertRefusedInJson,
  assertRefusedOnPage,
  assertTokens,
} from "./refusals.ts";

const it = testWith();

const secret = basic("basic", "basic secret: a+b%c");
const path = "/oauth2/par";

/** The form of a valid request with some parameters changed. */
const formOf = (changed: Params = {}): Params => authorizationParams({ state: "pushed state", ...changed });

const push = (world: World, changed?: Params, headers?: HeadersInit) =>
  world.post(path, formOf(changed), headers);

async function reference(world: World, changed?: Params, headers?: HeadersInit): Promise<string> {
  const response = await push(world, changed, headers);
  const body = await response.json();
  assertEquals({ status: response.status, error: body.error }, { status: 201, error: undefined });
  return body.request_uri;
}

const urlOf = (request_uri: string, more: Readonly<Record<string, string>> = {}) =>
  `/oauth2/authorize?${new URLSearchParams({ client_id: "public", request_uri, ...more })}`;

it("par: a request is stored, and its reference is not guessable (RFC 9126 §2.2)", async ({ world }) => {
  const response = await push(world, { client_id: undefined }, secret);
  const { request_uri, expires_in, ...others } = await response.json();
  assertEquals([response.status, expires_in, others], [201, 90, {}]);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertMatch(request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{22}\.[\w-]{43}$/);
  assertNotEquals(request_uri, await reference(world, { client_id: undefined }, secret));
  const code = assertCode(await world.get(urlOf(request_uri, { client_id: "basic" })));
  const tokens = await world.redeem(code, { client_id: undefined }, secret);
  assertEquals((await assertTokens(tokens))["scope"], "read");
});

it("par: the client authenticates as at the token endpoint (RFC 9126 §2.1)", async ({ world }) => {
  const cases: readonly (readonly [string, number, Params, HeadersInit?])[] = [
    ["secret_missing", 401, { client_id: "basic" }],
    ["secret_wrong", 401, { client_id: undefined }, basic("basic", "guess")],
  ];
  for (const [reason, status, changed, headers] of cases) {
    const response = await push(world, changed, headers);
    const expected = { error: "invalid_client", reason, status, challenge: "Basic" };
    await assertRefusedInJson(world, response, expected);
  }
  const missing = { error: "invalid_request", reason: "client_id_missing" };
  await assertRefusedInJson(world, await push(world, { client_id: undefined }), missing);
  // The secret is no parameter of the request.
  const pushed = await reference(world, { client_id: "post", client_secret: "post-secret" });
  assertCode(await world.get(urlOf(pushed, { client_id: "post" })));
});

it("par: a parameter that comes twice is refused, be it a credential or unknown (OAuth 2.1 §3.1)", async ({ world }) => {
  const once = { client_id: "post", client_secret: "post-secret", scope: "read", unknown: "x" };
  for (const [name, value] of Object.entries(once)) {
    const response = await push(world, { ...once, [name]: [value, value] });
    await assertRefusedInJson(world, response, { error: "invalid_request", reason: "repeated_parameter" });
  }
});

it("par: a request_uri cannot be pushed (RFC 9126 §2.1)", async ({ world }) => {
  const refused = { error: "invalid_request", reason: "reference_pushed" };
  for (const request_uri of ["https://app.example/request", await reference(world)]) {
    await assertRefusedInJson(world, await push(world, { request_uri }), refused);
  }
});

test("par: prompt=none is pushed without a session, and the refusal goes to the redirect URI only (RFC 9126 §2.3)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const pushed = await reference(world, { prompt: "none" });
    const response = await world.get(urlOf(pushed));
    const refused = { error: "login_required", reason: "would_have_to_ask", state: "pushed state" };
    assertRefusedByRedirect(world, response, refused);
    // The client has its answer.
    const used = { error: "invalid_request_uri", reason: "pushed_request_used" };
    await assertRefusedOnPage(world, await world.get(urlOf(pushed)), used);
  }));

it("par: an unregistered redirect URI is refused even for a client with a secret (RFC 9126 §2.4)", async ({ world }) => {
  const changed = { client_id: undefined, redirect_uri: "https://app.example/other" };
  const refused = { error: "invalid_request", reason: "redirect_uri_unregistered" };
  await assertRefusedInJson(world, await push(world, changed, secret), refused);
});

it("par: a request_uri is of its client alone (RFC 9126 §2.2)", async ({ world }) => {
  const pushed = await reference(world);
  const differs = { error: "invalid_request", reason: "client_id_differs" };
  await assertRefusedOnPage(world, await world.get(urlOf(pushed, { client_id: "post" })), differs);
  const bare = `/oauth2/authorize?${new URLSearchParams({ request_uri: pushed })}`;
  await assertRefusedOnPage(world, await world.get(bare), differs);
  assertCode(await world.get(urlOf(pushed)));
  // Another client does not even learn that the request has been answered.
  await assertRefusedOnPage(world, await world.get(urlOf(pushed, { client_id: "post" })), differs);
  // Nor that another one has expired.
  const late = await reference(world);
  world.clock.advance(90);
  await assertRefusedOnPage(world, await world.get(urlOf(late, { client_id: "post" })), differs);
});

test("par: opening a request_uri does not use it up, its answer does (RFC 9126 §4, §7.3)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const pushed = await reference(world);
    const browser = createBrowser(world);
    const first = await browser.open(urlOf(pushed));
    const second = await browser.open(urlOf(pushed));
    const consent = await browser.submit(second, { person: "alice" });
    const answer = await browser.submit(consent, { decision: "approve" });
    const code = new URL(answer.leftFor!).searchParams.get("code")!;

    const used = { error: "invalid_request_uri", reason: "pushed_request_used" };
    await assertRefusedOnPage(world, await world.get(urlOf(pushed)), used);
    assertEquals((await browser.submit(first, { person: "alice" })).status, 409);
    assertEquals(world.lastRefusal()?.reason, "already_approved");
    await assertTokens(await world.redeem(code));
    await assertRefusedOnPage(world, await world.get(urlOf(pushed)), used);
  }));

test("par: a denied request cannot be opened again (RFC 9126 §4)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const pushed = await reference(world);
    const browser = createBrowser(world);
    const answer = await browser.submit(await browser.open(urlOf(pushed)), { decision: "deny" });
    assertEquals(new URL(answer.leftFor!).searchParams.get("error"), "access_denied");
    const used = { error: "invalid_request_uri", reason: "pushed_request_used" };
    await assertRefusedOnPage(world, await world.get(urlOf(pushed)), used);
  }));

test("par: a request_uri ends at its expires_in, but an open form goes on (RFC 9126 §2.2)", () =>
  inWorld({ login: "picker", lifetimes: { pushedRequest: 60 } }, async (world) => {
    const pushed = await reference(world);
    const browser = createBrowser(world);
    const signIn = await browser.open(urlOf(pushed));
    world.clock.advance(59);
    assertEquals((await world.get(urlOf(pushed))).status, 200);
    world.clock.advance(1);
    const expired = { error: "invalid_request_uri", reason: "pushed_request_expired" };
    await assertRefusedOnPage(world, await world.get(urlOf(pushed)), expired);
    assertEquals(world.lastRefusal()?.received, "0 ms too late");

    world.clock.advance(3000);
    const consent = await browser.submit(signIn, { person: "alice" });
    const answer = await browser.submit(consent, { decision: "approve" });
    assert(new URL(answer.leftFor!).searchParams.has("code"));
    const unknown = { error: "invalid_request_uri", reason: "pushed_request_unknown" };
    await assertRefusedOnPage(world, await world.get(urlOf(`${pushed}x`)), unknown);
  }));

it("par: a guessed or changed reference is unknown", async ({ world }) => {
  const pushed = await reference(world);
  const [id] = pushed.split(".");
  const unknown = { error: "invalid_request_uri", reason: "pushed_request_unknown" };
  for (const each of [id!, `${id}.${"A".repeat(43)}`, "urn:ietf:params:oauth:request_uri:x", `${pushed} `]) {
    await assertRefusedOnPage(world, await world.get(urlOf(each)), unknown);
  }
});

it("par: parameters beside a request_uri change nothing, and the journal names them (RFC 9126 §4)", async ({ world }) => {
  const pushed = await reference(world);
  const more = {
    state: "outer",
    nonce: "outer",
    scope: "admin",
    redirect_uri: "https://evil.example/cb",
    response_type: "code",
    prompt: "none login",
  };
  const response = await world.get(urlOf(pushed, more));
  const code = assertCode(response);
  const location = new URL(response.headers.get("location")!);
  assertEquals([location.origin, location.searchParams.get("state")], [
    "https://app.example",
    "pushed state",
  ]);
  const { advice, arrivedBy, flow } = world.journal.at(-1)!.facts;
  assertEquals([advice?.reason, advice?.received], [
    "parameters_ignored",
    "state, nonce, scope, redirect_uri, prompt",
  ]);
  assertEquals([arrivedBy, flow], [["pushed request"], world.journal.at(-2)!.facts.flow]);
  assertEquals((await assertTokens(await world.redeem(code)))["scope"], "read");
});

it("par: a request without state has no state in its answer, even if the address has one (RFC 9126 §4)", async ({ world }) => {
  const pushed = await reference(world, { state: undefined });
  const params = callbackParams(await world.get(urlOf(pushed, { state: "outer" })));
  assertEquals([...params.keys()], ["code", "iss"]);
});

it("par: large bodies and long requests are refused (RFC 9126 §2.3)", async ({ world }) => {
  const cases = [["body_too_large", 70_000], ["request_too_long", 17_000]] as const;
  for (const [reason, length] of cases) {
    const response = await push(world, { state: "x".repeat(length) });
    await assertRefusedInJson(world, response, { error: "invalid_request", reason, status: 413 });
  }
});

/** Pushes from an address of the network. */
function pushFrom(
  peer: string,
  world: World,
  changed: Params = {},
  headers: HeadersInit = {},
): Promise<Response> {
  const body = new URLSearchParams(encodeForm(formOf(changed)));
  return world.fetch(new Request(world.issuer + path, { method: "POST", headers, body }), { peer });
}

it("par: one address pushes at most 1200 requests a minute for clients without a secret (RFC 9126 §2.3)", async ({ world }) => {
  // A refused request counts as well.
  for (let time = 0; time < 1200; time++) await pushFrom("192.0.2.1", world, { response_type: "token" });
  const response = await pushFrom("192.0.2.1", world);
  assertEquals(response.headers.get("retry-after"), "60");
  const refused = { error: "temporarily_unavailable", reason: "too_many_pushed_requests", status: 429 };
  await assertRefusedInJson(world, response, refused);
  assertEquals((await pushFrom("192.0.2.2", world)).status, 201);
  assertEquals((await pushFrom("192.0.2.1", world, { client_id: "basic" }, secret)).status, 201);
  world.clock.advance(60);
  assertEquals((await pushFrom("192.0.2.1", world)).status, 201);
});

it("par: a page of another site has a limit of its own (RFC 9126 §2.3)", async ({ world }) => {
  const page = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const wrong = { response_type: "token" };
  for (let time = 0; time < 1200; time++) await pushFrom("127.0.0.1", world, wrong, page);
  assertEquals((await pushFrom("127.0.0.1", world, wrong, page)).status, 429);
  assertEquals((await pushFrom("127.0.0.1", world, wrong)).status, 400);
});

test("par: an iframe of another site gets no code by prompt=none beside a pushed request (RFC 9126 §4)", () =>
  inWorld({ login: "auto", firstUse: true }, async (world) => {
    const iframe = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" };
    const page = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const unknown = { client_id: "invented", redirect_uri: "http://localhost:3000/cb" };
    for (const client of [{ client_id: "public" }, unknown]) {
      const request_uri = await reference(world, client, page);
      const address = urlOf(request_uri, { client_id: client.client_id, prompt: "none" });
      const refused = { error: "invalid_request", reason: "cross_site_request", status: 403 };
      await assertRefusedOnPage(world, await world.get(address, iframe), refused);
    }
    // A link opens a page, which asks for the consent to a client that no operator has configured.
    const request_uri = await reference(world, unknown, page);
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
    const response = await world.get(urlOf(request_uri, { client_id: "invented" }), link);
    assertStringIncludes(await response.text(), 'id="approve"');
  }));

const mustPush: WorldOptions = {
  clients: [
    { client_id: "public", redirect_uris: [redirectUri], require_pushed_authorization_requests: true },
    { client_id: "free", redirect_uris: [redirectUri], require_pushed_authorization_requests: false },
  ],
};

test("par: a client that must push cannot put its request in the address (RFC 9126 §6)", () =>
  inWorld(mustPush, async (world) => {
    const required = { error: "invalid_request", reason: "request_source_required" };
    assertRefusedByRedirect(world, await world.authorize(), required);
    assertEquals(world.lastRefusal()?.expected, "client_id and request_uri");
    assertCode(await world.get(urlOf(await reference(world))));
    assertCode(await world.authorize({ client_id: "free" }));
  }));

test("par: requirePushedRequests is for every client, and is announced (RFC 9126 §5)", () =>
  inWorld({ ...mustPush, requirePushedRequests: true }, async (world) => {
    const required = { error: "invalid_request", reason: "request_source_required" };
    assertRefusedByRedirect(world, await world.authorize({ client_id: "free" }), required);
    assertCode(await world.get(urlOf(await reference(world))));
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.require_pushed_authorization_requests, true);
  }));

test("par: a request_uri of another server is never fetched (RFC 9101 §10.4)", () => {
  const fetched: unknown[] = [];
  const fetch = (input: unknown) => {
    fetched.push(input);
    return Promise.resolve(new Response());
  };
  return inWorld({ fetch }, async (world) => {
    for (const request_uri of ["https://evil.example/request", "http://127.0.0.1/x", "urn:example:1"]) {
      const unsupported = { error: "request_uri_not_supported", reason: "parameter_unsupported" };
      assertRefusedByRedirect(world, await world.authorize({ request_uri }), unsupported);
      await assertRefusedOnPage(world, await world.get(urlOf(request_uri)), unsupported);
      assertEquals(world.lastRefusal()?.expected, "the request_uri of a pushed request");
    }
    assertEquals(fetched, []);
  });
});

test("par: the pushed secret and the reference reach neither the journal's views nor the store", async () => {
  const { redact } = await import("../../../src/server/oauth/secrets/redaction.ts");
  const { memoryStore } = await import("../../../src/mod.ts");
  const store = memoryStore();
  const kinds = ["pushed_request", "grant"].map((name) => ({ name }));
  await using world = createWorld({ store });
  const pushed = await reference(world, { client_id: "post", client_secret: "post-secret" });
  await world.get(urlOf(pushed, { client_id: "free" }));
  await world.get(urlOf("urn:ietf:params:oauth:request_uri:a-secret-guess"));
  const views = JSON.stringify(world.journal.map(redact));
  const [, secret] = pushed.split(".");
  for (const text of [secret!, "post-secret", "a-secret-guess"]) assert(!views.includes(text), text);
  const records: unknown[] = [];
  for (const kind of kinds) for await (const record of store.list!(kind)) records.push(record);
  assertEquals(records.length, 1);
  assert(!/post-secret/.test(JSON.stringify(records)) && !JSON.stringify(records).includes(secret!));
});

test("par: an unknown client pushes its first request, and becomes a client by approval (first use)", () =>
  withoutClients({}, async (world) => {
    const first = { client_id: "app", redirect_uri: "http://localhost:3000/cb" };
    for (const headers of [undefined, basic("app", "its secret")]) {
      const pushed = await reference(world, first, headers);
      assertEquals(world.journal.at(-1)?.facts.clientId, "app");
      const code = assertCode(await world.get(urlOf(pushed, { client_id: "app" })));
      if (headers === undefined) continue;
      await assertTokens(await world.redeem(code, { ...first, client_id: undefined }, headers));
      // The redemption has fixed the secret.
      const guess = await push(world, first, basic("app", "another"));
      assertEquals([guess.status, world.lastRefusal()?.reason], [401, "secret_wrong"]);
    }
    const far = await push(world, { client_id: "far", redirect_uri: "https://far.example/cb" });
    const unknown = { error: "invalid_client", reason: "client_unknown", status: 401, challenge: "Basic" };
    await assertRefusedInJson(world, far, unknown);
    assertStringIncludes(world.lastRefusal()?.expected ?? "", "first-use client");
  }));

test("par: the lifetime is from 1 to 600 seconds (RFC 9126 §2.2)", () =>
  assertCannotCreate(
    () => createWorld({ lifetimes: { pushedRequest: "11m" } }),
    "lifetimes.pushedRequest must be a whole number of seconds from 1 to 600",
  ));
