/** Automatic sign-in answers no hidden request of another site (OAuth 2.1 §7.3.1, RFC 8252 §8.6). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertCode, assertRefusedOnPage, assertTokens } from "../server/oauth/refusals.ts";
import { attribute, byId, findAll, findById, readHtml, textOf } from "../server/pages/read_html.ts";
import { test } from "../runner.ts";
import { testIn } from "../test_in.ts";
import {
  type Browser,
  createBrowser,
  createWorld,
  inWorld,
  type Page,
  type Params,
  sampleKey,
  type World,
  type WorldOptions,
} from "../world.ts";
import { countingStore } from "./counting_store.ts";

const headersOf = (site: string, dest: string, mode = "navigate") => ({
  "sec-fetch-site": site,
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
});
const image = headersOf("cross-site", "image", "no-cors");
const link = headersOf("cross-site", "document");
const iframe = headersOf("cross-site", "iframe");

const configured: Params = {};
const firstUse: Params = { client_id: "my-app", redirect_uri: "http://localhost:3000/callback" };

/** A world with a configured client; other clients are accepted on first use. */
const inOpenWorld = (options: WorldOptions, work: (world: World) => Promise<void>) =>
  inWorld({ firstUse: true, ...options }, work);

const ask = (world: World, changed: Params, headers: HeadersInit) =>
  world.get(world.authorizeUrl(changed), headers);

type Expected = "code" | "consent" | "login_required" | "refused";

const cases:
  readonly (readonly [name: string, headers: HeadersInit, configured: Expected, firstUse: Expected])[] = [
    ["curl, without Sec-Fetch headers", {}, "code", "code"],
    ["a typed address", headersOf("none", "document"), "code", "code"],
    ["a link from localhost:3000 to localhost:9000", headersOf("same-site", "document"), "code", "code"],
    ["an iframe of the same site", headersOf("same-site", "iframe"), "code", "code"],
    ["a fetch of the same origin", headersOf("same-origin", "empty", "cors"), "code", "code"],
    ["a link from another site", link, "code", "consent"],
    ["an iframe of another site", iframe, "refused", "refused"],
    ["an image of another site", image, "refused", "refused"],
    ["a script of another site", headersOf("cross-site", "script", "no-cors"), "refused", "refused"],
    ["a fetch of another site", headersOf("cross-site", "empty", "cors"), "refused", "refused"],
    ["a frame of another site", headersOf("cross-site", "frame"), "refused", "refused"],
    ["an object of another site", headersOf("cross-site", "object"), "refused", "refused"],
    ["a prefetch of another site", { ...link, "sec-purpose": "prefetch" }, "refused", "refused"],
    ["a prerender of another site", { ...link, "sec-purpose": "prefetch;prerender" }, "refused", "refused"],
  ];

const it = testIn<[World]>((work) => inOpenWorld({}, work));

for (const [name, headers, ...expected] of cases) {
  for (const [at, changed] of [configured, firstUse].entries()) {
    const which = changed === configured ? "a configured client" : "an unconfigured client";
    it(`cross-site: ${name}, for ${which}: ${expected[at]}`, async (world) => {
      const response = await ask(world, changed, headers);
      switch (expected[at]) {
        case "code":
          return void assertCode(response);
        case "refused":
          await assertRefusedOnPage(world, response, {
            error: "invalid_request",
            reason: "cross_site_request",
            status: 403,
          });
          return assertEquals(response.headers.getSetCookie(), []);
        default:
          assertEquals([response.status, world.lastRefusal()], [200, undefined]);
          assert(findById(readHtml(await response.text()), "approve") !== undefined);
      }
    });
  }
}

it("cross-site: an iframe may send prompt=none", async (world) => {
  const response = await ask(world, { prompt: "none" }, iframe);
  assertEquals(new URL(response.headers.get("location")!).searchParams.get("error"), "login_required");
  const unconfigured = await ask(world, { ...firstUse, prompt: "none" }, iframe);
  assertEquals(new URL(unconfigured.headers.get("location")!).searchParams.get("error"), "login_required");
  // An image may not.
  assertEquals((await ask(world, { prompt: "none" }, image)).status, 403);
});

test("cross-site: with a sign-in page, every cross-site request gets that page", () =>
  inOpenWorld({ login: "picker" }, async (world) => {
    for (const headers of [image, link, iframe]) {
      assertEquals((await ask(world, configured, headers)).status, 200);
    }
  }));

it("cross-site: a form of another site is redirected to GET, and checked there", async (world) => {
  const form = world.authorizeUrl(firstUse).split("?")[1]!;
  const again = await world.post("/oauth2/authorize", form, link);
  const response = await world.get(again.headers.get("location")!, link);
  assert(findById(readHtml(await response.text()), "approve") !== undefined);
});

test("cross-site: for an unconfigured client, approving the consent page signs in, and showing it does not", async () => {
  const store = countingStore();
  await inOpenWorld({ store }, async (world) => {
    const browser = createBrowser(world);
    const page = await openByLink(world, browser);
    assertStringIncludes(
      textOf(byId(readHtml(page.html), "from-another-site")),
      "127.0.0.1 and localhost are two sites",
    );
    assertEquals(store.writes, []);
    const answer = await browser.submit(page, { decision: "approve" }, { "sec-fetch-site": "same-origin" });
    const code = new URL(answer.leftFor!).searchParams.get("code")!;
    await assertTokens(await world.redeem(code, firstUse));
    // The client is stored now and the person is signed in, but the client is still unconfigured.
    const again = await ask(world, firstUse, { ...link, cookie: cookieOf(browser.cookies) });
    assert(findById(readHtml(await again.text()), "approve") !== undefined);
    const silent = await ask(world, { ...firstUse, prompt: "none" }, {
      ...link,
      cookie: cookieOf(browser.cookies),
    });
    assertEquals([silent.status, world.lastRefusal()?.error], [303, "consent_required"]);
  });
});

/** Opens the request of the unconfigured client by a link of another site. */
async function openByLink(world: World, browser: Browser): Promise<Page> {
  const first = await world.get(world.authorizeUrl(firstUse), link);
  const { headers, status } = first;
  for (const cookie of headers.getSetCookie()) {
    const [name = "", value = ""] = cookie.split(";")[0]!.split("=");
    browser.cookies.set(name, value);
  }
  return { url: `${world.issuer}/`, status, headers, html: await first.text(), leftFor: undefined };
}

function cookieOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

it("cross-site: the person chosen on the consent page is the one who signs in", async (world) => {
  const browser = createBrowser(world);
  const page = await openByLink(world, browser);
  const signIn = await browser.submit(page, { decision: "change_person" });
  const consent = await browser.submit(signIn, { person: "bob" });
  assertEquals(consent.leftFor, undefined);
  const answer = await browser.submit(consent, { decision: "approve" });
  const code = new URL(answer.leftFor!).searchParams.get("code")!;
  await assertTokens(await world.redeem(code, firstUse));
  assertEquals(world.journal.at(-1)?.facts.subject, "bob");
});

it("cross-site: after a denial the page has no link that would repeat the request without asking", async (world) => {
  const first = await world.get(world.authorizeUrl(firstUse), link);
  const cookie = first.headers.getSetCookie()[0]!.split(";")[0]!;
  const request = attribute(findAll(readHtml(await first.text()), "input")[0]!, "value")!;
  const deny = () => world.post("/oauth2/consent", { request, decision: "deny" }, { cookie });
  assertEquals((await deny()).status, 303);
  const second = await deny();
  assertEquals([second.status, world.lastRefusal()?.reason], [409, "already_denied"]);
  assertEquals(findById(readHtml(await second.text()), "start-again"), undefined);
});

test("cross-site: hundreds of requests of a hostile page write nothing and reserve no client id", async () => {
  const store = countingStore();
  const options = { store, login: "auto", alg: "ES256", signingKeys: [sampleKey] } as const;
  await using world = createWorld({ ...options, journal: () => {} }, {});
  for (let attempt = 0; attempt < 300; attempt++) {
    const changed = { ...firstUse, client_id: `app-${attempt}` };
    await ask(world, changed, attempt % 10 === 0 ? link : attempt % 2 === 0 ? iframe : image);
  }
  assertEquals(store.writes, []);
});
