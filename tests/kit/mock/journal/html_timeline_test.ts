/** The timeline as one HTML file: it loads nothing, holds no secret, explains refusals, and markup in it stays text. */

import {
  assert,
  assertEquals,
  assertFalse,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { formatHtmlTimeline } from "../../../../src/kit/mock/journal/html_timeline.ts";
import { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testInWorld } from "../../../test_in_world.ts";
import { attribute, byId, everyElement, findAll, readHtml, textOf } from "../../../server/pages/read_html.ts";
import { entryOf } from "./journal_entries.ts";
import { keepWorld } from "./kept_world.ts";

const terms = { issuer: "https://as.test", secrets: false, neverShown: [] };

const it = testInWorld({});

it("timeline as html: is one file that loads nothing and runs nothing", async (world) => {
  await world.redeem(await world.code({ scope: "openid" }));
  const html = formatHtmlTimeline(keepWorld(world), terms);
  const page = readHtml(html);
  for (const name of ["script", "img", "link", "iframe", "form"]) {
    assertEquals(findAll(page, name).length, 0, name);
  }
  assertStringIncludes(html, "default-src 'none'");
  assertFalse(/@import|url\(/.test(html), "the style loads nothing");
});

it("timeline as html: says that it is redacted, and how many requests were refused", async (world) => {
  await world.redeem("unknown");
  const html = formatHtmlTimeline(keepWorld(world), terms);
  assertStringIncludes(textOf(byId(readHtml(html), "redaction")!), "Redacted");
  assertStringIncludes(html, "<title>1 request, 1 refused</title>");
  assertStringIncludes(html, "The code is not valid");
});

it("timeline as html: a refusal that follows from an earlier one has its own fix, too", async (world) => {
  const code = await world.code();
  const { access_token } = await (await world.redeem(code)).json();
  await world.redeem(code);
  await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
  const shown = byId(
    readHtml(formatHtmlTimeline(keepWorld(world), terms)),
    `exchange-${world.journal[3]!.id}`,
  );
  assertStringIncludes(textOf(shown), `To fix it: ${world.lastRefusal()!.change}`);
  const links = findAll(shown, "a").map((link) => attribute(link, "href"));
  assert(links.includes(`#exchange-${world.journal[2]!.id}`));
});

it("timeline as html: each login has a numbered diagram, and each arrow leads to its exchange", async (world) => {
  await world.redeem(await world.code());
  await world.redeem(await world.code());
  const page = readHtml(formatHtmlTimeline(keepWorld(world), terms));
  const links = findAll(page, "a").map((link) => attribute(link, "href") ?? "");
  const inFile = links.filter((href) => href.startsWith("#"));
  assertEquals(inFile.filter((href) => href === `#exchange-${world.journal[1]!.id}`).length > 0, true);
  for (const href of inFile) assert(byId(page, href.slice(1)) !== undefined, href);
  const ids = [...everyElement(page)].flatMap((element) => attribute(element, "id") ?? []);
  assertEquals(new Set(ids).size, ids.length);
  const names = [...everyElement(page)].flatMap((element) => attribute(element, "aria-label") ?? []);
  assertEquals(names.filter((name) => name.startsWith("Sequence")), [
    "Sequence diagram 1",
    "Sequence diagram 2",
  ]);
});

test("timeline as html: has secrets only if the test asks for them, and says so", async () => {
  await using as = await createMock();
  const tokens = await as.login("alice");
  const redacted = await as.timeline({ as: "html" });
  const complete = await as.timeline({ as: "html", secrets: true });
  assertEquals([redacted, complete].map((html) => textOf(readHtml(html)).includes(tokens.access_token)), [
    false,
    true,
  ]);
  assertStringIncludes(complete, "Do not publish it");
  assertEquals(await as.timeline("html"), redacted);
});

test("timeline: only the HTML file may have secrets", async () => {
  await using as = await createMock();
  // @ts-expect-error: only html has this option
  const error = assertThrows(() => as.timeline({ as: "har", secrets: true }), TypeError);
  assertEquals(error.message, "Cannot write the timeline as har with secrets: only html may have secrets");
  // @ts-expect-error: misspelt
  await assertRejects(async () => await as.timeline({ as: "html", secret: true }), TypeError, "secrets");
});

test("timeline as html: an API's requests are in it", async () => {
  await using as = await createMock();
  const api = as.resource("https://api.test");
  await api.fetch("https://api.test/orders", { headers: { authorization: "Bearer wrong" } });
  const html = await as.timeline({ as: "html" });
  assertStringIncludes(html, "api.test");
  assertStringIncludes(html, "token_unreadable");
});

test("timeline as html: a login that answers the challenge of an API is a step-up (RFC 9470 §4)", async () => {
  const strict = { path: "/gold", acr: ["mfa", "urn:gold"] };
  const rules = [{ path: "/pay", acr: "mfa" }, { path: "/new", maxAge: "1m" }, strict] as const;
  const rows:
    readonly (readonly [path: string, client: string, params: Record<string, string>, count: number])[] = [
      ["/pay", "app", { acr_values: "mfa" }, 1],
      ["/gold", "app", { acr_values: "urn:other mfa" }, 1],
      ["/new", "app", { max_age: "60" }, 1],
      ["/new", "app", { max_age: "6" }, 0],
      ["/pay", "app", { acr_values: "urn:other" }, 0],
      ["/pay", "app", { max_age: "60" }, 0],
      ["/pay", "app", {}, 0],
      ["/free", "app", { acr_values: "mfa" }, 0],
      ["/pay", "other", { acr_values: "mfa" }, 0],
    ];
  for (const [path, client, params, count] of rows) {
    await using as = await createMock({
      clients: ["app", "other"].map((id) => ({
        client_id: id,
        redirect_uris: [`https://${id}.test/callback`],
      })),
    });
    const api = as.resource("https://api.test", { rules });
    const logIn = (client: string, params = {}) =>
      as.login("alice", { client, resource: "https://api.test", params });
    const { access_token: token } = await logIn("app");
    as.clock.advance("2m");
    // The journal sorts the requests by their times.
    const call = async (path: string) => {
      await (await api.fetch(api.url + path, { headers: { authorization: `Bearer ${token}` } })).text();
      as.clock.advance("1s");
    };
    await call(path);
    await logIn(client, params);
    const countStepUps = async () => (await as.timeline({ as: "html" })).split("is a step-up").length - 1;
    assertEquals(await countStepUps(), count, `${path} ${JSON.stringify(params)}`);
    as.clock.advance("1s");
    // Another login answers no challenge if the client has called the API since.
    await call("/free");
    await logIn(client, params);
    assertEquals(await countStepUps(), count);
  }
});

const hostile = [
  `"><svg onload=alert(1)></title><script>alert(1)</script>`,
  `</style><img src=x onerror=alert(1)>\u202e\u0000<!--`,
];

test("timeline as html: markup in every value is text", () => {
  for (const text of hostile) {
    const form = (names: readonly string[]) =>
      new URLSearchParams(names.map((name) => [name, text])).toString();
    const names = "client_id redirect_uri scope state prompt code_challenge login_hint x".split(" ");
    const jwt = `${btoa('{"alg":"x"}')}.${btoa(encodeURIComponent(text))}.x`;
    const parts = ["error", "reason", "description", "spec", "expected", "received", "remedy"] as const;
    const refusal = Object.fromEntries(parts.map((part) => [part, text])) as Record<
      typeof parts[number],
      string
    >;
    const requestHeaders = ["user-agent", "origin", "cookie", "authorization", "dpop", text]
      .map((name) => [name, text] as const);
    const entry = {
      ...{ id: "ID", receivedAt: 1, duration: 0 },
      request: {
        method: text,
        path: `/${text}`,
        query: form(names),
        body: form([...names, "request"]) + `&request=${jwt}`,
        headers: [["content-type", "application/x-www-form-urlencoded"] as const, ...requestHeaders],
      },
      response: {
        ...{ status: 400, body: JSON.stringify({ error: text, [text]: { [text]: [text] } }) },
        headers: [
          ["content-type", "application/json"],
          ["location", `https://a.test/?${form(names)}`],
          ["set-cookie", `${text}=${text}`],
        ] as const,
      },
      facts: {
        ...{ flow: text, clientId: text, subject: text, grantType: text, clientAuth: text, provenKey: text },
        ...{ scope: [text], resource: [text], arrivedBy: [text], refusal, fault: new Error(text) },
        altered: [{ seam: text, by: text }],
        more: { resource: { url: text, rpc: [text] }, back_channel_logout: { [text]: text } },
      },
    };
    for (const endpoint of ["token", "userinfo", "metadata"] as const) {
      const kept = new KeptEntry(entry, endpoint, false);
      for (const secrets of [false, true]) {
        const html = formatHtmlTimeline([kept], { ...terms, issuer: `https://${text}`, secrets });
        const page = readHtml(html);
        const elements = [...everyElement(page)];
        const bad = elements.filter(({ name }) => ["script", "img", "iframe"].includes(name));
        assertEquals(bad.length, 0, text);
        const attributes = elements.flatMap((element) => [...element.attributes.keys()]);
        assertEquals(attributes.filter((name) => name.startsWith("on")), [], text);
        assertFalse(html.includes("\u202e") || html.includes("\u0000"));
      }
    }
  }
});

test("timeline as html: the login that began first is the first one, and a line says who sent the request", () => {
  const keep = (at: number, flow: string, endpoint: "authorize" | "token", more: object = {}) => {
    const facts = { flow, clientId: flow, subject: "bob", ...more };
    return new KeptEntry(entryOf({ id: `id${at}`, receivedAt: at, facts }), endpoint, false);
  };
  const refusal = { error: "invalid_grant", reason: "code_unknown", description: "d" };
  const html = formatHtmlTimeline([
    keep(1, "first", "authorize"),
    keep(2, "second", "token"),
    keep(3, "first", "token"),
    keep(4, "second", "token", { refusal }),
  ], terms);
  const page = readHtml(html);
  const withClass = (wanted: string) =>
    [...everyElement(page)].filter(({ attributes }) => attributes.get("class")?.startsWith(wanted)).map(
      textOf,
    );
  assertEquals(withClass("aside who"), [
    "Browser · first · bob",
    "first · bob",
    "second · bob",
    "second · bob",
  ]);
  assertEquals(withClass("outcome-"), ["200", "200", "200", "200 refused"]);
});

test("timeline as html: leaves out what is older than 500 requests, and says so", () => {
  const kept = Array.from(
    { length: 502 },
    (_, at) => new KeptEntry(entryOf({ id: `id${at}`, facts: { clientId: "a" } }), "token", false),
  );
  const html = formatHtmlTimeline(kept, { ...terms, dropped: 1 });
  assertStringIncludes(html, "3 earlier requests are not in this file");
  assertFalse(html.includes('exchange-id1"'));
  assertStringIncludes(html, 'exchange-id2"');
});
