/** The timeline in its four forms: its contents, that other programs can read it, and that it has no secrets. */

import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { type RecordedRequest, recordRequest } from "../../../../src/kit/mock/journal/recorded_request.ts";
import { formatTimeline, type TextTimelineForm } from "../../../../src/kit/mock/journal/timeline.ts";
import { createMock } from "../../../../src/kit/mod.ts";
import type { JournalEntry } from "../../../../src/mod.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { createBrowser, inWorld, redirectUri, type World } from "../../../world.ts";
import { createEndpointNamer } from "./endpoint_namer.ts";
import { entryOf } from "./journal_entries.ts";
import { runWithSecrets, secretOptions } from "./secret_run.ts";

const nameEndpoint = createEndpointNamer();
const terms = { origin: "https://as.test" };
const allForms: readonly TextTimelineForm[] = ["text", "jsonl", "har", "mermaid"];

function write({ journal }: World, form: TextTimelineForm): string {
  return formatTimeline(journal.map((entry) => record(entry)), form, terms);
}

function record(entry: JournalEntry, lost = false): RecordedRequest {
  return recordRequest(entry, nameEndpoint(entry.request), lost);
}

/** A success and a refusal, half a second apart. */
async function runFlow(world: World): Promise<void> {
  const code = await world.code({ resource: "https://api.example/" });
  world.clock.advance(0.5);
  await world.redeem(code);
  world.clock.advance(0.012);
  await world.redeem("unknown");
}

function createRequest(changed: Partial<JournalEntry> = {}, lost = false): RecordedRequest {
  return record(entryOf(changed), lost);
}

test("timeline: no form holds a secret of a whole run", () =>
  inWorld(secretOptions, async (world) => {
    const { lasting, passing } = await runWithSecrets(world);
    const raw = JSON.stringify(world.journal);
    for (const form of allForms) {
      const shown = write(world, form);
      for (const secret of [...lasting, ...passing]) {
        assertEquals([raw.includes(secret), shown.includes(secret)], [true, false], `${form} ${secret}`);
      }
      assertStringIncludes(shown, "redirect_uri_differs");
    }
  }));

test("timeline: each form shows the name of a fault only, and what changed an answer at which seam", () => {
  const refusal = { error: "server_error", reason: "unexpected_error", description: "The server failed" };
  const failed = createRequest({ facts: { refusal, fault: new RangeError("CANARY") } });
  const changed = createRequest({ facts: { altered: [{ seam: "claims", by: "id_token" }] } });
  for (const form of allForms) {
    assertEquals(typeof formatTimeline([], form, terms), "string");
    const failure = formatTimeline([failed], form, terms);
    assertEquals([failure.includes("RangeError"), failure.includes("CANARY")], [true, false], form);
    const change = formatTimeline([changed], form, terms);
    assertEquals([change.includes("id_token"), change.includes("claims")], [true, true], change);
  }
});

test("timeline: an unknown form is refused", async () => {
  await using as = await createMock();
  // @ts-expect-error: no such form
  const error = assertThrows(() => as.timeline("xml"), TypeError);
  assertEquals(
    error.message,
    'Cannot write the timeline as "xml": expected one of text, jsonl, har, mermaid, html',
  );
});

const it = testInWorld({});

it("timeline as text: a line has time, sender, request and outcome", async (world) => {
  await runFlow(world);
  assertEquals(write(world, "text").split("\n"), [
    "+0.000 s  browser → GET /oauth2/authorize (for public, PKCE S256, scope read, resource https://api.example/) → " +
    `303 to ${redirectUri}?code=[redacted]&state=[redacted]&iss=https://as.test as alice`,
    "+0.500 s  public  → POST /oauth2/token (authorization_code, no client auth, PKCE S256, scope read, " +
    "resource https://api.example/) → 200 as alice",
    "+0.512 s  public  → POST /oauth2/token (authorization_code, no client auth) → " +
    "400 invalid_grant (code_unknown): The code is not valid",
  ]);
});

/** A sign-out that one client accepted and another refused. */
const signOut = createRequest({
  request: { method: "GET", path: "/connect/logout", query: "", headers: [] },
  facts: { subject: "bob", more: { back_channel_logout: { shop: "told", "a\nb": "answered 400" } } },
});

test("timeline as text: has a line for each client that a sign-out told, with its outcome", () => {
  assertEquals(formatTimeline([signOut, createRequest()], "text", terms).split("\n"), [
    "+0.000 s  browser → GET /connect/logout → 200 as bob",
    "+0.000 s  Postern → shop (back-channel logout) → told",
    "+0.000 s  Postern → a\\u{A}b (back-channel logout) → answered 400",
    "+0.000 s  unknown → POST /oauth2/token → 200",
  ]);
});

test("timeline as JSON lines and HAR: have the clients that a sign-out told, with their outcomes", () => {
  const { backChannelLogout } = JSON.parse(formatTimeline([signOut], "jsonl", terms));
  assertEquals(backChannelLogout, { shop: "told", "a\nb": "answered 400" });
  const { log } = JSON.parse(formatTimeline([signOut, createRequest()], "har", terms));
  assertEquals(log.entries.map(({ comment }: { comment?: string }) => comment), [
    "shop (back-channel logout) → told; a\nb (back-channel logout) → answered 400",
    undefined,
  ]);
});

test("timeline as Mermaid: a sign-out tells its clients before it is answered", () => {
  assertEquals(formatTimeline([signOut], "mermaid", terms).split("\n"), [
    "sequenceDiagram",
    "  participant browser as Browser",
    "  participant client1 as shop",
    "  participant client2 as a#92;u#123;A#125;b",
    "  participant postern as Postern",
    "  browser->>postern: GET /connect/logout",
    "  postern->>client1: back-channel logout",
    "  client1-->>postern: told",
    "  postern->>client2: back-channel logout",
    "  client2--xpostern: answered 400",
    "  postern-->>browser: 200 as bob",
  ]);
});

test("timeline as text: the time is negative after the clock is set back", () => {
  const entries = [createRequest(), createRequest({ receivedAt: 1_799_999_990 })];
  assertMatch(formatTimeline(entries, "text", terms), /^ \+0\.000 s .*\n-10\.000 s /);
});

it("timeline: the sentence of a refusal does not run into the facts after it", async (world) => {
  const code = await world.code();
  await world.redeem(code);
  await world.redeem(code);
  await world.authorize({ response_type: "token" });
  const [, , replayed, redirected] = write(world, "text").split("\n");
  assertStringIncludes(replayed!, "its tokens are revoked (as alice)");
  assertMatch(redirected!, /response_type is not supported \(to https:\/\/app\.example\/cb\?\S+\)$/);
  for (const form of ["mermaid", "har"] as const) {
    assertStringIncludes(write(world, form), "response_type is not supported (to https://app.example/cb");
  }
});

test("timeline as text: says how many earlier requests were dropped", () => {
  const [head] = formatTimeline([createRequest()], "text", { ...terms, dropped: 3 }).split("\n");
  assertEquals(head, "(3 earlier requests were dropped)");
});

it("timeline as JSON lines: has one object for each request, with its facts", async (world) => {
  await runFlow(world);
  const lines = write(world, "jsonl").split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ endpoint, status }) => `${endpoint} ${status}`), [
    "authorize 303",
    "token 200",
    "token 400",
  ]);
  assertEquals([lines[1].pkce, lines[1].params.client_id], ["S256", "public"]);
  assertEquals(lines[1].params.code, "[redacted]");
  assertEquals([lines[2].refusal.reason, "raw" in lines[2]], ["code_unknown", false]);
});

test("timeline as HAR: is HAR 1.2 with the members that developer tools need", () =>
  inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl());
    await browser.submit(page, { person: "alice" });
    await world.redeem("unknown");
    await world.get("/userinfo", { cookie: "theme=dark" });
    const { log } = JSON.parse(write(world, "har"));
    assertEquals([log.version, log.creator.name, typeof log.creator.version], ["1.2", "Postern", "string"]);
    assertEquals(log.entries.length, world.journal.length);
    for (const { startedDateTime, time, request, response, cache, timings } of log.entries) {
      assertEquals(startedDateTime, "2027-01-15T08:00:00.000Z");
      assertEquals([cache, time], [{}, timings.send + timings.wait + timings.receive]);
      assertEquals(new URL(request.url).origin, "https://as.test");
      for (const message of [request, response]) {
        assertEquals([message.httpVersion, message.headersSize], ["HTTP/1.1", -1]);
        assert(Array.isArray(message.headers) && Array.isArray(message.cookies) && message.bodySize >= 0);
      }
      assert(Array.isArray(request.queryString));
      assertEquals([typeof response.statusText, typeof response.redirectURL], ["string", "string"]);
      assertEquals([typeof response.content.size, typeof response.content.mimeType], ["number", "string"]);
    }
    const [asked, signedIn, consent, refused, userinfo] = log.entries;
    assertEquals(asked.request.postData, undefined);
    assertEquals(new URL(asked.request.url).searchParams.get("redirect_uri"), redirectUri);
    assertEquals(
      asked.request.queryString.find(({ name }: { name: string }) => name === "state"),
      { name: "state", value: "[redacted]" },
    );
    assertEquals(asked.response.cookies[0].value, "[redacted]");
    assertEquals(asked.response.cookies[0].httpOnly, true);
    assertEquals([asked.response.content.text, asked.response.content.size > 1000], [undefined, true]);
    assertEquals(signedIn.request.cookies[0].name, [...browser.cookies.keys()][0]);
    assertEquals(signedIn.request.postData, {
      mimeType: "application/x-www-form-urlencoded",
      params: [{ name: "request", value: "[redacted]" }, { name: "person", value: "alice" }],
    });
    const continued = "/oauth2/authorize?continue=[redacted]";
    assertEquals(signedIn.response.redirectURL, continued);
    const [location] = signedIn.response.headers.filter(({ name }: { name: string }) => name === "location");
    assertEquals(location.value, continued);
    assertEquals(consent.request.queryString, [{ name: "continue", value: "[redacted]" }]);
    assertEquals(refused.request.postData.mimeType, "application/x-www-form-urlencoded");
    assertMatch(refused.comment, /^400 invalid_grant \(code_unknown\)/);
    assertEquals(JSON.parse(refused.response.content.text).error, "invalid_grant");
    assertEquals(userinfo.request.cookies, [{ name: "theme", value: "[redacted]" }]);
  }));

it("timeline as Mermaid: shows the browser, the client and Postern, with each request and answer", async (world) => {
  await runFlow(world);
  await world.get("/oauth2/jwks");
  assertEquals(write(world, "mermaid").split("\n"), [
    "sequenceDiagram",
    "  participant browser as Browser",
    "  participant client1 as public",
    "  participant unknown as Unknown client",
    "  participant postern as Postern",
    "  browser->>postern: GET /oauth2/authorize (for public, PKCE S256, scope read, resource https://api.example/)",
    `  postern-->>browser: 303 to ${redirectUri}?code=[redacted]&state=[redacted]&iss=https://as.test as alice`,
    "  browser->>client1: brings the code",
    "  client1->>postern: POST /oauth2/token (authorization_code, no client auth, PKCE S256, scope read, " +
    "resource https://api.example/)",
    "  postern-->>client1: 200 as alice",
    "  client1->>postern: POST /oauth2/token (authorization_code, no client auth)",
    "  postern--xclient1: 400 invalid_grant (code_unknown): The code is not valid",
    "  unknown->>postern: GET /oauth2/jwks",
    "  postern-->>unknown: 200",
  ]);
});

test("timeline as Mermaid: names and texts cannot end a label, begin a comment or be HTML", () => {
  const hostile = 'a;b#c\nd\r<b>"x"%%{init: {}}%%`\\\u2028end';
  const refusal = { error: "invalid_request", reason: "x", description: hostile };
  const facts = { clientId: hostile, subject: hostile, refusal };
  const entry = createRequest({ facts });
  const lines = formatTimeline([entry, createRequest({ facts: { clientId: "" } })], "mermaid", terms).split(
    "\n",
  );
  assertEquals(lines.length, 8);
  assertEquals(lines[2], "  participant client2 as ?");
  for (const line of lines) {
    const label = line.replace(/^ {2}(participant \w+ as |\w+--?(>>|x)\w+: )/, "");
    assertMatch(label.replace(/#\d+;/g, ""), /^[^;#<>"%{}`\\\p{Cc}\u2028]*$/u);
  }
  assertStringIncludes(lines[1]!, "as a#59;b#35;c#92;u#123;A#125;d");
});

test("timeline as Mermaid: a long label is cut between entities", () => {
  const text = formatTimeline([createRequest({ facts: { clientId: ";".repeat(400) } })], "mermaid", terms);
  assertEquals(text.split("\n")[1], `  participant client1 as ${"#59;".repeat(200)}`);
});

it("timeline as HAR: the size of a body that the server did not read is unknown", async (world) => {
  const send = (method: string, path: string, body?: string) =>
    world.fetch(
      new Request(`https://as.test${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
      }),
    );
  await send("PUT", "/nowhere", "canary");
  await send("POST", "/oauth2/token", '{"code":"canary"}');
  await send("GET", "/nowhere");
  await world.post("/oauth2/token", "ä=€");
  const { log } = JSON.parse(write(world, "har"));
  const requests: readonly { readonly bodySize: number; readonly postData?: unknown }[] = log.entries.map(
    ({ request }: { readonly request: unknown }) => request,
  );
  assertEquals(requests.map(({ bodySize }) => bodySize), [-1, -1, 0, 6]);
  assertEquals(requests.map(({ postData }) => postData !== undefined), [false, false, false, true]);
});

it("timeline as HAR: the answer to HEAD has no body", async (world) => {
  for (const method of ["HEAD", "GET"]) {
    await world.fetch(new Request("https://as.test/oauth2/jwks", { method }));
  }
  const [{ response: head }, { response: get }] = JSON.parse(write(world, "har")).log.entries;
  assertEquals([head.content.size, head.content.text, head.bodySize], [0, undefined, 0]);
  assertEquals([get.content.size > 0, get.content.text?.includes("kty")], [true, true]);
  assertEquals(get.bodySize > 0, true);
});

test("timeline as HAR: the type of a message, and the name of a cookie, have no secret", () => {
  const secret = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.SECRET";
  const headers = [["content-type", `text/plain; x=${secret}`], ["cookie", `${secret}=1`]] as const;
  const message = { headers, body: "x" };
  const request = { method: "POST", path: "/", query: "", ...message };
  const entry = entryOf({ request, response: { status: 200, ...message } });
  const text = formatTimeline([recordRequest(entry, "token")], "har", terms);
  assertEquals(text.includes("SECRET"), false, text);
});

test("timeline as HAR: a request during which the clock was turned back took no time", () => {
  const { log: { entries: [entry] } } = JSON.parse(
    formatTimeline([createRequest({ duration: -2 })], "har", terms),
  );
  assertEquals([entry.time, entry.timings.wait], [0, 0]);
});

const lost: Readonly<Record<TextTimelineForm, string>> = {
  text: "→ 200 as bob (the answer was lost)",
  jsonl: '"lost":true',
  har: '"comment": "200 as bob (the answer was lost)"',
  mermaid: "postern--xunknown: 200 as bob (the answer was lost)",
};

test("timeline: each form says which answer was lost", () => {
  const facts = { subject: "bob" };
  for (const form of allForms) {
    const shown = formatTimeline([createRequest({ facts }), createRequest({ facts }, true)], form, terms);
    assertStringIncludes(shown, lost[form]);
    assertEquals(shown.split("lost").length, 2);
  }
});

test("timeline: the polls of a device that waits are one line of the text (RFC 8628 §3.5)", () => {
  const refusal = { error: "authorization_pending", reason: "device_login_pending", description: "Wait" };
  const poll = createRequest({ facts: { clientId: "tv", flow: "one", refusal } });
  const requests = [poll, poll, poll, createRequest({ facts: { clientId: "tv", flow: "one" } })];
  assertEquals(formatTimeline(requests, "text", terms).split("\n"), [
    "+0.000 s  tv → 3 × POST /oauth2/token → 200 authorization_pending (device_login_pending): Wait",
    "+0.000 s  tv → POST /oauth2/token → 200",
  ]);
  assertEquals(formatTimeline(requests, "jsonl", terms).split("\n").length, 4);
  assertEquals(poll.outcome, "ok");
});

test("timeline: requests to an API stand among those to the server, in the order of their arrival", async () => {
  await using as = await createMock({ alg: "ES256" });
  as.clock.freeze();
  const api = as.resource("https://api.test/orders");
  for (const url of [api.url, `${as.issuer}/oauth2/jwks`, api.url, `${as.issuer}/oauth2/jwks`]) {
    await (await as.fetch(url)).text();
    as.clock.advance(1);
  }
  const lines = as.timeline("text").split("\n");
  assertEquals(lines.map((line) => line.includes("api.test")), [true, false, true, false]);
  const html = await as.timeline("html");
  const at = [...html.matchAll(/<code class="aside">GET ([^<]*)</g)].map(([, target]) => target);
  assertEquals(at, [api.url, "/oauth2/jwks", api.url, "/oauth2/jwks"]);
});
