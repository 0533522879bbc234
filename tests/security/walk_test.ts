/** The buttons of `/authorized`: no other page, browser or reader of the store can press them or see what they show. */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../src/mod.ts";
import { countingStore } from "./counting_store.ts";
import { createRandomBytes } from "../../src/ground/crypto/bytes.ts";
import { redact } from "../../src/server/oauth/secrets/redaction.ts";
import type { Services } from "../../src/server/oauth/contracts/feature.ts";
import type { Walk } from "../../src/server/features/callback_page/walk.ts";
import { createWalk, findWalk, walkIdOf } from "../../src/server/features/callback_page/walk_store.ts";
import { heading, press, send, sendTicket } from "../server/features/walk.ts";
import { reachAuthorized } from "../flows/sample_flow.ts";
import { attribute, findAll, readHtml, textOf } from "../server/pages/read_html.ts";
import { test } from "../runner.ts";
import { testIn } from "../test_in.ts";
import {
  type Browser,
  createBrowser,
  inWorld,
  type Page,
  sampleKey,
  sampleRsaKey,
  verifier,
  type World,
} from "../world.ts";
import { asName, markup } from "./hostile_text.ts";
import { jwtText } from "./jwt_text.ts";
import { assertOurPage } from "./our_page.ts";

interface Flow {
  readonly world: World;
  readonly browser: Browser;
  readonly page: Page;
}

function inFlow(work: (flow: Flow) => Promise<void>, options: ServerOptions = {}): Promise<void> {
  return inWorld({ alg: "ES256", signingKeys: [sampleKey], login: "picker", ...options }, async (world) => {
    await work({ world, ...await reachAuthorized(world) });
  }, {});
}

const hasAsked = ({ journal }: World) => journal.some(({ request }) => request.path === "/oauth2/token");

function ticketOf({ html }: Page): string {
  const input = findAll(readHtml(html), "input").find((each) => attribute(each, "name") === "walk");
  return attribute(input!, "value")!;
}

const it = testIn(inFlow);

const foreign = [
  { origin: "https://evil.example" },
  // Another port of the same host is the same site, so its requests have the cookies.
  { origin: "http://localhost:3000" },
  { origin: "http://localhost:3000", "sec-fetch-site": "same-site" },
  { origin: "null", "sec-fetch-site": "cross-site" },
];
for (const headers of foreign) {
  it(`walk: a page of another origin presses no button: ${JSON.stringify(headers)}`, async ({ world, browser, page }) => {
    const refused = await send(world, browser, page, "exchange", {}, headers);
    assertEquals([refused.status, world.lastRefusal()?.reason], [403, "form_from_another_site"]);
    assertFalse(hasAsked(world));
    assertEquals((await send(world, browser, page, "exchange")).status, 303);
  });
}

it("walk: a forged, changed or foreign form is refused (RFC 9700 §4.7)", async ({ world, browser, page }) => {
  const ticket = ticketOf(page);
  const changed = ticket.slice(0, -2) + (ticket.at(-2) === "A" ? "B" : "A") + ticket.at(-1);
  const { page: other, browser: otherBrowser } = await reachAuthorized(world);
  const consent = await createBrowser(world).open("/start?client_id=demo");
  const request = /name="request" value="([^"]+)"/.exec(consent.html)![1]!;
  const forged = [
    ["no ticket", browser, ""],
    ["made up", browser, "e30"],
    ["changed", browser, changed],
    ["of another browser", browser, ticketOf(other)],
    ["in another browser", otherBrowser, ticket],
    ["without cookies", { cookies: new Map() }, ticket],
    ["an authorization request", browser, request],
  ] as const;
  for (const [because, from, walk] of forged) {
    const refused = await sendTicket(world, from, walk, { step: "exchange" });
    assertEquals([refused.status, world.lastRefusal()?.reason], [403, "walk_form_not_ours"], because);
  }
  assertFalse(hasAsked(world));
});

it("walk: a form and a page are good for an hour", async ({ world, browser, page }) => {
  const exchanged = await press(world, browser, page, "exchange");
  world.clock.advance(3599);
  assertEquals((await browser.open(exchanged.url)).status, 200);
  world.clock.advance(1);
  const old = await send(world, browser, exchanged, "userinfo");
  assertEquals([old.status, world.lastRefusal()?.reason], [400, "walk_form_too_old"]);
  assertEquals((await browser.open(exchanged.url)).status, 404);
  assertEquals(world.lastRefusal()?.reason, "walk_not_found");
});

it("walk: the address of a page shows another browser nothing", async ({ world, browser, page }) => {
  const exchanged = await press(world, browser, page, "exchange");
  const { browser: other } = await reachAuthorized(world);
  for (const browser of [other, createBrowser(world)]) {
    const { status, html } = await browser.open(exchanged.url);
    assertEquals([status, world.lastRefusal()?.reason], [404, "walk_not_found"]);
    assertFalse(jwtText.test(html));
  }
});

test("walk: the store has nothing readable, and the journal shows no value of the form", async () => {
  const store = memoryStore();
  await inFlow(async ({ world, browser, page }) => {
    await press(world, browser, page, "exchange", {
      code_verifier: "VERIFIER-CANARY",
      client_secret: "SECRET-CANARY",
    });
    const records: string[] = [];
    for await (const { id, value } of store.list!<unknown>({ name: "walk" })) {
      records.push(id + JSON.stringify(value));
    }
    assertEquals(records.length, 1);
    const code = new URL(page.url).searchParams.get("code")!;
    const shown = JSON.stringify(world.journal.map(redact));
    for (const secret of [code, code.split(".")[1]!, "CANARY"]) {
      assertFalse(records[0]!.includes(secret), secret);
      assertFalse(shown.includes(secret), secret);
    }
    for (const text of [records[0]!, shown]) assertFalse(jwtText.test(text));
  }, { store });
});

const floods = [
  ["many browsers", (count: number) => `browser ${count}`],
  ["one browser", () => "browser"],
] as const;
for (const [whose, secretOf] of floods) {
  test(`walk: a flood of walks of ${whose} takes 256 places at most, and each new walk is found as itself`, async () => {
    const store = countingStore();
    const keys = { encryptionKey: () => Promise.resolve(new Uint8Array(32)) };
    const services = {
      store,
      keys,
      now: () => 1_800_000_000,
      random: createRandomBytes(),
    } as unknown as Services;
    for (let count = 0; count < 600; count++) {
      const browser = { secret: secretOf(count) };
      store.forget();
      await createWalk({ ...emptyWalk, code: `code ${count}` }, browser, services);
      const found = await findWalk(walkIdOf(`code ${count}`, browser), browser, services);
      assertEquals(found?.walk.code, `code ${count}`);
      assert(store.writes.length <= 5, `${store.writes}`);
    }
    let records = 0;
    for await (const _ of store.list!({ name: "walk" })) records++;
    assert(records <= 256, `${records} records`);
  });
}

const emptyWalk: Omit<Walk, "code"> = {
  redirectUri: "https://as.test/authorized",
  grantId: "g",
  clientId: "app",
  scope: [],
  resource: [],
  begun: 1,
  steps: [],
};

it("walk: a walk ends after 30 steps", async ({ world, browser, page }) => {
  let now = await press(world, browser, page, "exchange");
  for (let step = 2; step <= 30; step++) now = await press(world, browser, now, "userinfo");
  const buttons = findAll(readHtml(now.html), "button");
  assertFalse(buttons.some((each) => attribute(each, "name") === "step"));
  const refused = await send(world, browser, now, "userinfo");
  assertEquals([refused.status, world.lastRefusal()?.reason], [400, "walk_step_impossible"]);
});

test("walk: its record has an end in characters, too", () =>
  inFlow(async ({ world, browser, page }) => {
    let now = await press(world, browser, page, "exchange");
    let steps = 1;
    while (/<button[^>]* id="userinfo"/.test(now.html)) {
      now = await press(world, browser, now, "userinfo");
      steps++;
    }
    assert(steps >= 5 && steps < 15, `${steps}`);
  }, { people: [{ username: "alice", claims: { name: "x".repeat(12_000) } }] }));

it("walk: a field of the form has at most 2,000 characters", async ({ world, browser, page }) => {
  for (const field of ["client_id", "code_verifier", "client_secret"]) {
    const refused = await send(world, browser, page, "exchange", { [field]: "x".repeat(2_001) });
    assertEquals([refused.status, world.lastRefusal()?.reason], [400, "walk_field_too_long"], field);
  }
  assertFalse(hasAsked(world));
  assertEquals(
    (await send(world, browser, page, "exchange", { client_secret: "x".repeat(2_000) })).status,
    303,
  );
});

const own = "https://as.test/authorized";

for (const text of markup) {
  test(`walk: markup in the fields, in a claim and in a response stays text: ${JSON.stringify(text)}`, () =>
    inWorld({
      clients: [{ client_id: "app", client_name: asName(text), redirect_uris: [own] }],
      people: [{ username: "eve", claims: { name: text, email: text, [text]: text } }],
      login: "auto",
      seams: {
        claims: (value) => ({ ...value, claims: { ...value.claims, [text]: text, nonce: text } }),
        token_response: (value) => ({ ...value, members: { ...value.members, [text]: text } }),
      },
    }, async (world) => {
      const asked = { client_id: "app", redirect_uri: own, scope: "openid profile email", state: "s" };
      const code = await world.code(asked);
      const browser = createBrowser(world);
      const answer = { code, state: text };
      // The page offers no step with a code of another issuer.
      const foreign = await browser.open(`/authorized?${new URLSearchParams({ ...answer, iss: text })}`);
      assertOurPage(foreign.html, foreign.headers, "another issuer");
      const page = await browser.open(`/authorized?${new URLSearchParams(answer)}`);
      assertOurPage(page.html, page.headers, "arrival");
      const fields = { client_id: text, code_verifier: text, client_secret: text };
      const refused = await press(world, browser, page, "exchange", fields);
      assertOurPage(refused.html, refused.headers, "refused");
      const retried = await press(world, browser, await browser.open(page.url), "exchange", {
        client_id: "app",
        code_verifier: verifier,
      });
      assertEquals(heading(retried), "The code was exchanged");
      assertOurPage(retried.html, retried.headers, "exchanged");
      const userinfo = await press(world, browser, retried, "userinfo");
      assertOurPage(userinfo.html, userinfo.headers, "userinfo");
      for (const { html } of [refused, retried, userinfo]) assertFalse(html.includes("<x-probe"), html);
    }));
}

test("walk: a response that is no JSON, or endless, is shown as text and cut", () =>
  inFlow(async ({ world, browser, page }) => {
    const refused = await press(world, browser, page, "exchange");
    assertOurPage(refused.html, refused.headers, "endless");
    assert(textOf(readHtml(refused.html)).includes("<script>alert(1)</script>"));
    assert(refused.html.length < 40_000, `${refused.html.length}`);
  }, {
    seams: {
      response: (answer, { exchange: { request } }) => {
        if (request.address.path !== "/oauth2/token") return answer;
        const chunk = new TextEncoder().encode("<script>alert(1)</script>".repeat(100));
        const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
        return { ...answer, headers: { "content-type": "text/html" }, body };
      },
    },
  }));

test("walk: the heaviest page has less than 60 KB with its files", () =>
  inWorld({ login: "picker", alg: "RS256", signingKeys: [sampleRsaKey] }, async (world) => {
    const { browser, page } = await reachAuthorized(world);
    const exchanged = await press(world, browser, page, "exchange");
    for (const { html } of [page, exchanged]) {
      const files = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, path]) => path!);
      const texts = await Promise.all(
        [...new Set(files)].map(async (path) => (await world.get(path)).text()),
      );
      const weight = [html, ...texts].reduce(
        (sum, text) => sum + new TextEncoder().encode(text).byteLength,
        0,
      );
      assert(weight < 60_000, `${weight}`);
    }
  }, {}));
