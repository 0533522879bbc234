/** The journal as assertions: where requests went, what is shown of them and what is not, and who waits for the next. */

import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import type { EndpointName } from "../../../../src/kit/mock/endpoints.ts";
import { type RecordedRequest, recordRequest } from "../../../../src/kit/mock/journal/recorded_request.ts";
import { createRecorder, type Recorder } from "../../../../src/kit/mock/journal/recorder.ts";
import { createMock } from "../../../../src/kit/mod.ts";
import type { Journal, JournalEntry, ServerOptions } from "../../../../src/mod.ts";
import type { Facts } from "../../../../src/server/oauth/contracts/journal.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import {
  basic,
  challenge,
  inWorld,
  navigationHeaders,
  redirectUri,
  verifier,
  type World,
} from "../../../world.ts";
import { createEndpointNamer } from "./endpoint_namer.ts";
import { entryOf } from "./journal_entries.ts";
import { runWithSecrets, secretOptions } from "./secret_run.ts";
import { replaceGlobals } from "../../../replace_globals.ts";

/** A world whose journal is a recorder. */
interface Recorded extends Pick<Recorder, "requests"> {
  readonly world: World;
}

async function inRecordedWorld(
  options: ServerOptions,
  work: (given: Recorded) => Promise<void>,
): Promise<void> {
  const basePath = new URL(options.issuer ?? "https://as.test").pathname.replace(/\/$/, "");
  const recorder = createRecorder();
  await inWorld(
    { ...options, journal: journalOf(recorder, basePath) },
    (world) => work({ world, requests: recorder.requests }),
  );
}

/** Writes as the mock does: under the endpoint that the request went to. */
function journalOf({ write }: Recorder, basePath = ""): Journal {
  const nameEndpoint = createEndpointNamer(basePath);
  return (entry) => write(entry, { endpoint: nameEndpoint(entry.request), isLost: false });
}

function createEntry(changed: Partial<JournalEntry["request"]> = {}, facts = {}): JournalEntry {
  const { request } = entryOf();
  return entryOf({ request: { ...request, ...changed }, facts });
}

const it = testIn<[Recorded]>((work) => inRecordedWorld({}, work));

it("requests: the requests of a flow are under their endpoints, with their facts", async ({ world, requests }) => {
  const code = await world.code({ client_id: "basic", scope: "read write" });
  await world.redeem(code, { client_id: undefined }, basic("basic", "basic secret: a+b%c"));
  const [asked, redeemed] = [requests.authorize.last, requests.token.last];
  assertEquals([requests.length, requests.authorize.length, requests.token.length], [2, 1, 1]);
  assertEquals([asked?.pkce, asked?.person, asked?.status], ["S256", "alice", 303]);
  assertEquals([redeemed?.grantType, redeemed?.clientAuth], ["authorization_code", "client_secret_basic"]);
  assertEquals([redeemed?.clientId, redeemed?.scope], ["basic", ["read", "write"]]);
  assertEquals([redeemed?.method, redeemed?.path, redeemed?.at], ["POST", "/oauth2/token", 1_800_000_000]);
  assertEquals(redeemed?.flow, asked?.flow);
  assert(redeemed !== undefined && !("refusal" in redeemed) && !("fault" in redeemed));
});

it("requests: harmless parameters are readable, secrets are hidden, and the raw entry has both", async ({ world, requests }) => {
  await world.authorize({ resource: ["https://a.example/", "https://b.example/"], prompt: "none" });
  const code = await world.code();
  await (await world.redeem(code)).text();
  assertEquals(requests.authorize.first?.params, {
    response_type: "code",
    client_id: "public",
    redirect_uri: redirectUri,
    scope: "read",
    state: "[redacted]",
    code_challenge: "[redacted]",
    code_challenge_method: "S256",
    resource: ["https://a.example/", "https://b.example/"],
    prompt: "none",
  });
  assertEquals(requests.token.last?.params, {
    grant_type: "authorization_code",
    code: "[redacted]",
    redirect_uri: redirectUri,
    client_id: "public",
    code_verifier: "[redacted]",
  });
  assertStringIncludes(requests.token.last?.raw().request.body ?? "", verifier);
  assertStringIncludes(requests.authorize.first?.raw().request.query ?? "", challenge);
});

test("requests: an answer shows its members, and their values unless they may be secrets", () =>
  inRecordedWorld({ accessTokens: "opaque" }, async ({ world, requests }) => {
    const code = await world.code({ scope: "openid" });
    await world.redeem(code);
    await world.get("/oauth2/jwks");
    await world.get("/.well-known/oauth-authorization-server");
    const answer = requests.token.last?.answer;
    assertEquals([answer?.["access_token"], answer?.["id_token"]], ["[redacted]", "[redacted]"]);
    assertEquals([answer?.["token_type"], answer?.["scope"]], ["Bearer", "openid"]);
    assertEquals(requests.jwks.last?.answer, JSON.parse(requests.jwks.last!.raw().response.body!));
    assertEquals(requests.metadata.last?.answer?.["issuer"], "https://as.test");
    assertEquals(
      requests.authorize.last?.location,
      `${redirectUri}?code=[redacted]&state=[redacted]&iss=https://as.test`,
    );
    assertEquals(requests.authorize.last?.answer, undefined);
  }));

test("requests: a private key that a hook publishes by mistake is hidden", () => {
  const body = JSON.stringify({ keys: [{ kty: "EC", x: "X", d: "CANARY" }] });
  const response = { status: 200, headers: [["content-type", "application/jwk-set+json"]] as const, body };
  const { answer } = recordRequest({ ...createEntry(), response }, "jwks");
  assertEquals(answer, { keys: [{ kty: "EC", x: "X", d: "[redacted]" }] });
});

test("requests: a secret in the address of a redirect is hidden, as one in its parameters", () => {
  const value = "https://ann:CANARY@host/eyJhbGciOiJSUzI1NiJ9.eyJDQU5BUlki.CANARY?code=CANARY#state=CANARY";
  const response = { status: 302, headers: [["location", value]] as const };
  const { location } = recordRequest({ ...createEntry(), response }, "authorize");
  assertEquals(location, "https://[redacted]@host/[redacted]?code=[redacted]#state=[redacted]");
});

test("requests: a secret in a member that is readable, or in a name, is hidden", () => {
  const texts = ["eyJhbGciOiJSUzI1NiJ9.eyJ", "//ann@host/", "see /cb?code=CANARY"];
  const hiding = ["[redacted]", "//[redacted]@host/", "see /cb?code=[redacted]"];
  for (const [index, text] of texts.entries()) {
    const body = JSON.stringify({ error_description: text, aud: [text], [text]: { sub: text } });
    const response = { status: 400, headers: [["content-type", "application/json"]] as const, body };
    const { answer } = recordRequest({ ...createEntry(), response }, "token");
    const shown = hiding[index]!;
    assertEquals(answer, { error_description: shown, aud: [shown], [shown]: { sub: shown } });
  }
});

test("requests: the JSON of an answer is read in whatever case its media type is written (RFC 9110 §8.3.1)", () => {
  const headers = [["content-type", "Application/JSON; charset=UTF-8"]] as const;
  const response = { status: 200, headers, body: '{"scope":"read"}' };
  const { answer } = recordRequest({ ...createEntry(), response }, "token");
  assertEquals(answer, { scope: "read" });
});

test("requests: hides every secret of a whole run", () =>
  inRecordedWorld(secretOptions, async ({ world, requests }) => {
    const { lasting, passing } = await runWithSecrets(world);
    const raw = JSON.stringify(requests.map((request) => request.raw()));
    const shown = JSON.stringify(requests.toArray());
    for (const secret of [...lasting, ...passing]) {
      assertEquals([raw.includes(secret), shown.includes(secret)], [true, false], secret);
    }
    assertEquals(requests.token.first?.refusal?.reason, "redirect_uri_differs");
    assertEquals(requests.token.first?.answer?.["error"], "invalid_grant");
  }));

test("requests: an endpoint has its name below the issuer's path, and well-known documents before and after it", () => {
  const named: readonly (readonly [path: string, basePath: string, name: EndpointName])[] = [
    ["/oauth2/token", "", "token"],
    ["/acme/oauth2/token", "/acme", "token"],
    ["/oauth2/token", "/acme", "page"],
    ["/acme/oauth2/introspect", "/acme", "introspect"],
    ["/oauth2/account", "", "account"],
    ["/.well-known/oauth-authorization-server/acme", "/acme", "metadata"],
    ["/.well-known/oauth-authorization-server", "/acme", "page"],
    ["/.well-known/openid-configuration/acme", "/acme", "metadata"],
    ["/acme/.well-known/openid-configuration", "/acme", "metadata"],
    ["/", "", "page"],
  ];
  for (const [path, basePath, name] of named) {
    const nameEndpoint = createEndpointNamer(basePath);
    assertEquals(nameEndpoint({ method: "GET", path }), name, `${path} below "${basePath}"`);
    assertEquals(nameEndpoint({ method: "OPTIONS", path }), "page");
  }
});

test("requests: the server's own pages and their files are not recorded", () =>
  inRecordedWorld({ demoResource: "/resource" }, async ({ world, requests }) => {
    const headers = { "if-none-match": (await world.get("/static/postern.svg")).headers.get("etag")! };
    await world.get("/static/postern.svg", headers);
    for (const path of ["/", "/static/postern.css", "/authorized", "/favicon.ico"]) await world.get(path);
    for (const path of ["/start", "/resource"]) await world.get(path, navigationHeaders);
    assertEquals(requests.length, 0);
    // What a page says about a client, and what was refused, is recorded.
    for (const path of ["/start?client_id=nobody", "/static/none.css", "/"]) await world.get(path);
    assertEquals(requests.map(({ path }) => path), ["/start", "/static/none.css"]);
  }));

test("requests: a page is recorded if the server has noted anything about it, or has answered with no status", () => {
  const refusal = { error: "e", reason: "r", description: "d" };
  const noted: readonly Partial<Facts>[] = [
    ...[{ refusal }, { advice: { reason: "r", description: "d" } }, { clientId: "app" }, { flow: "flow" }],
    { altered: [{ seam: "response", by: "response" }] },
  ];
  const isRecorded = (method: string, facts: Partial<Facts>, status = 200) => {
    const recorder = createRecorder();
    const entry = { ...createEntry({ method, path: "/" }, facts), response: { status, headers: [] } };
    recorder.write(entry, { endpoint: "page", isLost: false });
    return recorder.requests.length === 1;
  };
  for (const method of ["GET", "HEAD"]) {
    assertEquals([isRecorded(method, {}), isRecorded(method, {}, 0)], [false, true]);
    for (const facts of noted) assertEquals(isRecorded(method, facts), true, Object.keys(facts)[0]);
  }
  assertEquals(isRecorded("POST", {}), true);
});

it("requests: a list reads like an array, and can be narrowed to a client, a person or a flow", async ({ world, requests }) => {
  const code = await world.code();
  await world.redeem(code);
  await world.redeem(await world.code({ client_id: "basic" }), { client_id: "basic" });
  assertEquals([...requests].length, 4);
  assertStrictEquals(requests.at(-1), requests.last);
  assertStrictEquals(requests.at(0), requests.first);
  assertStrictEquals(requests.authorize.at(1), requests.at(2));
  assertEquals([requests.at(9), requests.jwks.last], [undefined, undefined]);
  assertEquals(requests.jwks.first, undefined);
  assertEquals(requests.of({ client: "public" }).map(({ endpoint }) => endpoint), ["authorize", "token"]);
  assertEquals(requests.of({ flow: requests.first!.flow! }).length, 2);
  assertEquals(requests.of({ client: "basic", person: "alice" }).length, 1);
  assertEquals(requests.token.of({ client: "basic" }).last?.status, 401);
  assertEquals(requests.filter(({ status }) => status === 303).length, 2);
  const isToken = ({ endpoint }: RecordedRequest) => endpoint === "token";
  assertStrictEquals(requests.find(isToken), requests.at(1));
  assertEquals([requests.some(isToken), requests.every(isToken)], [true, false]);
  assertEquals([requests.jwks.some(isToken), requests.jwks.every(isToken)], [false, true]);
  const ofPublic = requests.token.of({ client: "public" });
  await world.redeem(code);
  assertEquals([ofPublic.length, ofPublic.last?.refusal?.reason], [2, "code_replayed"]);
});

test("requests.of: a misspelt term is refused, and so is a value that is not an object", () => {
  const { requests } = createRecorder();
  const start = "Cannot narrow a list of requests: ";
  const misspelt = `${start}cleint is not known: did you mean client?`;
  // @ts-expect-error: no such term
  assertThrows(() => requests.of({ cleint: "x" }), TypeError, misspelt);
  const none = `${start}the terms must be an object with any of client, username, flow, not undefined`;
  // @ts-expect-error: of whom?
  assertThrows(() => requests.token.of(), TypeError, none);
});

test("requests: outcomes of the back channel show text only, and no secret", () => {
  const told = { "https://u:CANARY@shop.test": "told", mail: { secret: "CANARY" } };
  for (const more of [{ back_channel_logout: told }, { back_channel_logout: "CANARY" }, { other: told }]) {
    const recorded = recordRequest(createEntry({}, { more }), "logout");
    assertEquals(JSON.stringify(recorded).includes("CANARY"), false);
    const shown = more.back_channel_logout === told ? { "https://[redacted]@shop.test": "told" } : undefined;
    assertEquals(recorded.backChannelLogout, shown);
  }
});

test("requests: the oldest are dropped for new ones, and counted; 10,000 are kept by default", () => {
  const recorder = createRecorder({ limit: 3 });
  const { requests, clear } = recorder;
  const journal = journalOf(recorder);
  for (const id of "abcde") journal({ ...createEntry(), id });
  assertEquals(requests.map(({ id }) => id), ["c", "d", "e"]);
  assertEquals([requests.dropped, requests.token.length], [2, 3]);
  clear();
  assertEquals([requests.dropped, requests.length, requests.token.last], [0, 0, undefined]);
  const usual = createRecorder();
  const usualJournal = journalOf(usual);
  for (let count = 0; count < 10_001; count++) usualJournal(createEntry());
  assertEquals([usual.requests.length, usual.kept.length, usual.requests.dropped], [10_000, 10_000, 1]);
});

test("requests: all text of an entry counts, and the oldest are dropped when it is too much", () => {
  const text = "x".repeat(1000);
  const parts: readonly ((text: string) => JournalEntry)[] = [
    (body) => createEntry({ body }),
    (query) => createEntry({ query }),
    (path) => createEntry({ path }),
    (value) => createEntry({ headers: [["x-long", value]] }),
    (body) => ({ ...createEntry(), response: { status: 200, headers: [], body } }),
    (value) => ({ ...createEntry(), response: { status: 200, headers: [["location", value]] } }),
    (clientId) => createEntry({}, { clientId }),
    (received) => createEntry({}, { refusal: { error: "e", reason: "r", description: "d", received } }),
    (scope) => createEntry({}, { scope: [scope] }),
    (each) => createEntry({}, { more: { feature: { each } } }),
  ];
  for (const part of parts) {
    const recorder = createRecorder({ mostOctets: 18_500 });
    const { requests, clear } = recorder;
    const journal = journalOf(recorder);
    for (const id of "abcdefgh") journal({ ...part(text), id });
    assertEquals(requests.map(({ id }) => id), ["d", "e", "f", "g", "h"], String(part));
    assertEquals(requests.dropped, 3);
    clear();
    for (const id of "abcde") journal({ ...part(text), id });
    assertEquals([requests.length, requests.dropped], [5, 0]);
  }
});

test("requests: a single entry that is too large is kept until the next one", () => {
  const recorder = createRecorder({ mostOctets: 100 });
  const journal = journalOf(recorder);
  journal({ ...createEntry({ body: "x".repeat(1000) }), id: "large" });
  assertEquals(recorder.requests.map(({ id }) => id), ["large"]);
  journal({ ...createEntry(), id: "small" });
  assertEquals(recorder.requests.map(({ id }) => id), ["small"]);
});

test("requests: a fault may refer to itself", () => {
  const recorder = createRecorder();
  const fault: Record<string, unknown> = {};
  fault["itself"] = fault;
  journalOf(recorder)(createEntry({}, { fault }));
  assertEquals(recorder.requests.length, 1);
});

test("requests: 32 MB are kept by default", () => {
  const recorder = createRecorder();
  const body = "x".repeat(1_000_000);
  for (let count = 0; count < 40; count++) journalOf(recorder)(createEntry({ body }));
  assertEquals([recorder.requests.length, recorder.requests.dropped], [31, 9]);
});

it("requests.next: resolves to the first request after the call, to that endpoint and of that client", async ({ world, requests }) => {
  const code = await world.code();
  const any = requests.next();
  const token = requests.next("token");
  const ofBasic = requests.next("token", { client: "basic", timeout: "1m" });
  await world.get("/oauth2/jwks");
  await world.redeem(code, { code: "wrong" });
  await world.redeem(code);
  await world.redeem(code, { client_id: "basic" });
  assertEquals((await any).endpoint, "jwks");
  assertStrictEquals(await token, requests.token.first);
  assertEquals((await token).refusal?.reason, "code_unknown");
  assertStrictEquals(await ofBasic, requests.last);
  const later = requests.next("token");
  await world.redeem(code);
  assertStrictEquals(await later, requests.token.at(3));
});

test("requests.next: the error names the requests that came instead, at most the last five", async () => {
  const recorder = createRecorder();
  const { requests } = recorder;
  const journal = journalOf(recorder);
  const ofBasic = requests.next("token", { client: "basic", timeout: "1ms" });
  journal(createEntry({}, { clientId: "public" }));
  journal(createEntry({ method: "GET", path: "/oauth2/jwks" }));
  const { message } = await assertRejects(() => ofBasic, Error);
  assertEquals(
    message,
    'No request to "token" of the client "basic" came: 0.001 seconds are over. ' +
      'Other requests came: POST /oauth2/token 200 (client "public"), GET /oauth2/jwks 200.',
  );
  const keys = requests.next("jwks", { timeout: "1ms" });
  for (let count = 0; count < 7; count++) journal(createEntry({ path: `/${count}` }));
  const many = await assertRejects(() => keys, Error);
  assertStringIncludes(many.message, "7 other requests came, the last ones POST /2 200, POST /3 200");
});

test("requests.next: the error has no secret that the path of another request has", async () => {
  const recorder = createRecorder();
  const keys = recorder.requests.next("jwks", { timeout: "1ms" });
  journalOf(recorder)(createEntry({ path: "/eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.SECRET" }));
  const { message } = await assertRejects(() => keys, Error);
  assertEquals([message.includes("redacted"), message.includes("SECRET")], [true, false]);
});

test("requests.next: the error says that no request came, and that earlier ones do not count", async () => {
  const recorder = createRecorder();
  const { requests } = recorder;
  const journal = journalOf(recorder);
  const nothing = await assertRejects(() => requests.next("token", { timeout: 0 }), Error);
  assertStringIncludes(
    nothing.message,
    "No other request came either. Check that the client uses this issuer",
  );
  journal(createEntry());
  const late = await assertRejects(() => requests.next("token", { timeout: 0 }), Error);
  assertStringIncludes(late.message, "Such requests before this call: 1. next() waits for a later request");
});

test("requests.next: rejects when the recorder is closed, and after that", async () => {
  const { requests, close } = createRecorder();
  const waiting = requests.next("token");
  close("the mock is disposed of");
  // A rejection that is not awaited yet does not end the program.
  await new Promise((resolve) => setTimeout(resolve));
  const early = await assertRejects(() => waiting, Error);
  assertEquals(early.message, 'No request to "token" came: the mock is disposed of');
  const late = await assertRejects(() => requests.next(), Error);
  assertEquals(late.message, "Cannot wait for a request: the mock is disposed of");
});

test("requests.next: rejects when the mock is reset, and goes on waiting after clear()", async () => {
  await using as = await createMock({ alg: "ES256" });
  const [first, tenant] = [as.requests.next("token"), as.tenant("acme")];
  const ofTenant = tenant.requests.next();
  tenant.reset();
  const { message: told } = await assertRejects(() => ofTenant, Error) as Error;
  assertEquals(told, "No request came: the tenant acme was reset");
  as.reset();
  const { message } = await assertRejects(() => first, Error) as Error;
  assertEquals(message, 'No request to "token" came: the mock was reset');
  const second = as.requests.next("token");
  as.requests.clear();
  await as.login();
  assertEquals((await second).endpoint, "token");
});

test("requests: a held or delayed request has its time of arrival, and its whole duration", async () => {
  const heard: JournalEntry[] = [];
  await using as = await createMock({ alg: "ES256", journal: (entry) => heard.push(entry) });
  as.clock.freeze(1_800_000_000);
  using gate = as.hold("jwks");
  const asked = as.fetch(`${as.issuer}/oauth2/jwks`);
  await gate.arrived();
  as.clock.advance(7);
  gate.release();
  await asked;
  const { at, duration, raw } = as.requests.jwks.last!;
  assertEquals([at, duration], [1_800_000_000, 7]);
  assertEquals([raw().receivedAt, heard.at(-1)?.receivedAt, heard.at(-1)?.duration], [at, at, 7]);
});

test("requests: a held request is checked at the time of its release", async () => {
  await using as = await createMock({ alg: "ES256" });
  const tokens = await as.login();
  using gate = as.hold("userinfo");
  const asked = as.fetch(`${as.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  await gate.arrived();
  as.clock.advance("2h");
  gate.release();
  assertEquals((await asked).status, 401);
});

test("requests: of concurrent requests the first answer is the lost one, and is noted", async () => {
  await using as = await createMock({ alg: "ES256" });
  using gate = as.hold("jwks", { count: 2 });
  using _drop = as.drop("jwks", { count: 1 });
  const ask = (name: string) =>
    as.fetch(`${as.issuer}/oauth2/jwks?name=${name}`).then(() => "arrived", (error: Error) => error.name);
  const first = ask("first");
  await gate.arrived(1);
  const second = ask("second");
  await gate.arrived(2);
  gate.release(2);
  assertEquals(await second, "TypeError");
  gate.release(1);
  assertEquals([await first, await ask("third")], ["arrived", "arrived"]);
  assertEquals(
    as.requests.jwks.map(({ lost, raw }) => [raw().request.query, lost]),
    [["name=second", true], ["name=first", undefined], ["name=third", undefined]],
  );
  assert(!("lost" in as.requests.jwks.last!));
});

test("requests.next: the timeout is real time, also under fake timers", async () => {
  const { requests } = createRecorder();
  using _ = replaceGlobals({
    setTimeout() {
      throw new Error("this timer is a fake one");
    },
  });
  await assertRejects(() => requests.next("token", { timeout: "1ms" }), Error, "seconds are over");
});

test("requests.next: an unknown endpoint, a wrong timeout and a misspelt term are refused at once", async () => {
  const { requests } = createRecorder();
  const next = requests.next as (...values: readonly unknown[]) => Promise<RecordedRequest>;
  const wrong = [
    [["tokens"], 'Cannot wait for a request to "tokens": expected one of authorize, '],
    [["token", { timeout: -1 }], "expected a duration of 0 or more, but got -1"],
    [["token", { timout: "50ms" }], "timout is not known: did you mean timeout?"],
    [["token", "app"], "the terms must be an object with any of client, timeout, not a string"],
  ] as const;
  for (const [values, message] of wrong) await assertRejects(() => next(...values), TypeError, message);
  // @ts-expect-error: no such endpoint
  assertEquals(requests.tokens, undefined);
});

test("health: a check leaves no entry in the journal, and none among the requests of a test", async () => {
  const journal: JournalEntry[] = [];
  await using as = await createMock({ journal: (entry) => journal.push(entry) });
  for (const path of ["/health", "/ready"]) {
    const response = await as.fetch(as.issuer + path);
    assertEquals([response.status, journal.length, as.requests.length], [200, 0, 0]);
    await response.body?.cancel();
  }
  await (await as.fetch(`${as.issuer}/health`, { method: "POST" })).text();
  assertEquals([journal.length, as.requests.length], [1, 1]);
});
