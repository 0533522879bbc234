/** Remembered consent: for which requests and clients, and for which never (OAuth 2.1 §7.3.1). */

import { assertEquals } from "@std/assert";
import { findAll, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { testWith } from "./test_in_world.ts";
import { type Browser, createBrowser, inWorld, type Params, redirectUri, type World } from "../../world.ts";

const resource = "https://api.example/";
const elsewhere = "https://other.example/cb";
const loopback = "http://127.0.0.1:5555/cb";

const options = {
  login: "picker",
  firstUse: true,
  clients: [
    { client_id: "web", redirect_uris: [redirectUri, "https://app.example/second", elsewhere] },
    { client_id: "other", redirect_uris: [redirectUri] },
    { client_id: "native", redirect_uris: [loopback, "http://localhost/cb", redirectUri] },
  ],
};

const it = testWith(options);

/** The heading of the page that the browser gets, or "a code". */
async function visit(world: World, browser: Browser, changed: Params): Promise<string> {
  const { html, leftFor } = await browser.open(world.authorizeUrl({ client_id: "web", ...changed }));
  return leftFor === undefined ? textOf(findAll(readHtml(html), "h1")[0]!) : outcome(leftFor);
}

function outcome(leftFor: string): string {
  const answer = new URL(leftFor).searchParams;
  return answer.has("code") ? "a code" : answer.get("error")!;
}

/** Approves this request, after sign-in if needed. */
async function agree(world: World, changed: Params, browser: Browser, person = "alice"): Promise<void> {
  let page = await browser.open(world.authorizeUrl({ client_id: "web", ...changed }));
  if (page.html.includes('name="person"')) page = await browser.submit(page, { person });
  assertEquals(outcome((await browser.submit(page, { decision: "approve" })).leftFor!), "a code");
}

// Each row: an approved request, a later request, and its result.
const visits: readonly (readonly [what: string, agreed: Params, asked: Params, happens: string])[] = [
  ["the same again", {}, {}, "a code"],
  ["the same with prompt=none", {}, { prompt: "none" }, "a code"],
  ["the same with prompt=consent", {}, { prompt: "consent" }, "Allow web?"],
  ["less scope", { scope: "read write" }, { scope: "write" }, "a code"],
  ["the same scope in another order", { scope: "read write" }, { scope: "write read" }, "a code"],
  ["a wider scope", {}, { scope: "read write" }, "Allow web?"],
  ["another scope", {}, { scope: "write" }, "Allow web?"],
  ["a wider scope with prompt=none", {}, { scope: "read write", prompt: "none" }, "consent_required"],
  ["the same resource", { resource }, { resource }, "a code"],
  ["no resource any more", { resource }, {}, "a code"],
  ["a resource where there was none", {}, { resource }, "Allow web?"],
  ["another resource", { resource }, { resource: `${resource}v2` }, "Allow web?"],
  ["one of two resources", { resource: [resource, elsewhere] }, { resource }, "a code"],
  ["offline_access", {}, { scope: "read offline_access" }, "Allow web?"],
  ["one more resource", { resource }, { resource: [resource, elsewhere] }, "Allow web?"],
  ["another redirect URI of that origin", {}, { redirect_uri: "https://app.example/second" }, "a code"],
  ["another redirect origin", {}, { redirect_uri: elsewhere }, "Allow web?"],
  ["another client", {}, { client_id: "other" }, "Allow other?"],
];

for (const [what, agreed, asked, happens] of visits) {
  it(`consent: after an approval, a request for ${what} gets ${happens === "a code" ? "a code" : `"${happens}"`}`, async ({ world, browser }) => {
    await agree(world, agreed, browser);
    assertEquals(await visit(world, browser, asked), happens);
  });
}

const forgettable: readonly (readonly [what: string, request: Params])[] = [
  ["localhost", { client_id: "native", redirect_uri: "http://localhost/cb" }],
  ["an unconfigured client", { client_id: "newcomer", redirect_uri: loopback }],
  ["an unconfigured client, with https", { client_id: "newcomer", redirect_uri: "https://client.test/cb" }],
];

for (const [what, request] of forgettable) {
  it(`consent: ${what} needs consent every time (OAuth 2.1 §7.3.1)`, async ({ world, browser }) => {
    for (let time = 1; time <= 2; time++) {
      await agree(world, request, browser);
      assertEquals(await visit(world, browser, request), `Allow ${request["client_id"]}?`);
      assertEquals(await visit(world, browser, { ...request, prompt: "none" }), "consent_required");
    }
  });
}

it("consent: consent with https does not count for the same client on loopback, nor the reverse", async ({ world, browser }) => {
  await agree(world, { client_id: "native", redirect_uri: loopback }, browser);
  assertEquals(await visit(world, browser, { client_id: "native" }), "Allow native?");
  await agree(world, { client_id: "native" }, browser);
  assertEquals(await visit(world, browser, { client_id: "native" }), "a code");
  const native = { client_id: "native", redirect_uri: loopback };
  assertEquals(await visit(world, browser, native), "Allow native?");
});

const added: readonly (readonly [what: string, first: Params, second: Params])[] = [
  ["scopes", { scope: "read" }, { scope: "write" }],
  ["resources", { resource }, { resource: elsewhere }],
  ["redirect origins", {}, { redirect_uri: elsewhere }],
];

for (const [what, first, second] of added) {
  it(`consent: of two ${what}, the first is still approved after the second`, async ({ world, browser }) => {
    await agree(world, first, browser);
    await agree(world, second, browser);
    assertEquals([await visit(world, browser, first), await visit(world, browser, second)], [
      "a code",
      "a code",
    ]);
  });
}

it("consent: several consents add up, separately for each redirect origin", async ({ world, browser }) => {
  await agree(world, { scope: "read" }, browser);
  await agree(world, { scope: "write", resource }, browser);
  assertEquals(await visit(world, browser, { scope: "read write", resource }), "a code");
  assertEquals(await visit(world, browser, { scope: "read", redirect_uri: elsewhere }), "Allow web?");
});

it("consent: a denial is not remembered and removes no consent", async ({ world, browser }) => {
  await agree(world, {}, browser);
  const url = world.authorizeUrl({ client_id: "web", scope: "read write" });
  const denied = await browser.submit(await browser.open(url), { decision: "deny" });
  assertEquals(outcome(denied.leftFor!), "access_denied");
  assertEquals(await visit(world, browser, { scope: "read write" }), "Allow web?");
  assertEquals(await visit(world, browser, {}), "a code");
});

it("consent: belongs to one person, counts in every browser, and lasts one year", async ({ world }) => {
  const [alices, bobs] = [createBrowser(world), createBrowser(world)];
  await agree(world, {}, alices);
  const url = world.authorizeUrl({ client_id: "web" });
  const forBob = await bobs.submit(await bobs.open(url), { person: "bob" });
  assertEquals(textOf(findAll(readHtml(forBob.html), "h1")[0]!), "Allow web?");
  for (const [seconds, asked] of [[365 * 24 * 3600 - 1, false], [1, true]] as const) {
    world.clock.advance(seconds);
    const elsewhere = createBrowser(world);
    const { leftFor } = await elsewhere.submit(await elsewhere.open(url), { person: "alice" });
    assertEquals(leftFor === undefined, asked);
  }
});

test("consent: two approvals at the same time are both remembered", async () => {
  const interrupted = interruptedStore("put", "consent");
  await inWorld({ ...options, store: interrupted.store }, async (world) => {
    const browser = createBrowser(world);
    interrupted.meanwhile = () => agree(world, { scope: "write" }, createBrowser(world));
    await agree(world, { scope: "read" }, browser);
    assertEquals(await visit(world, browser, { scope: "read write" }), "a code");
  });
});
