/** The address of the page after each posted form: Back and Reload open it, and opening it changes nothing. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { grants } from "../../../src/server/oauth/contracts/grant.ts";
import { attribute, byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { type countingStore, valuesOf } from "../../security/counting_store.ts";
import {
  authorizationParams,
  type Browser,
  createBrowser,
  inWorld,
  type Page,
  type Params,
  type World,
  type WorldOptions,
} from "../../world.ts";
import { assertRefusedOnPage, assertTokens } from "./refusals.ts";

const picker: WorldOptions = { login: "picker" };

const it = testWith(picker);

const headingOf = ({ html }: Pick<Page, "html">) => textOf(findAll(readHtml(html), "h1")[0]!);
const personOf = ({ html }: Pick<Page, "html">) => textOf(byId(readHtml(html), "person"));
const codeOf = ({ leftFor }: Page) => new URL(leftFor ?? "").searchParams.get("code");
const cookieOf = ({ cookies }: Browser) => [...cookies].map((pair) => pair.join("=")).join("; ");
const continueOf = ({ url }: Page) => new URL(url).searchParams.get("continue")!;

async function openConsent(
  world: World,
  browser: Browser = createBrowser(world),
  changed: Params = {},
): Promise<{ readonly browser: Browser; readonly consent: Page }> {
  const signIn = await browser.open(world.authorizeUrl(changed));
  const consent = await browser.submit(signIn, { person: "alice" });
  assertEquals(headingOf(consent), `Allow ${changed["client_id"] ?? "public"}?`);
  return { browser, consent };
}

/** Posts a form, and returns the answer without following its redirect. */
async function post(world: World, browser: Browser, page: Page, fields: Params): Promise<Response> {
  const form = readHtml(page.html);
  const request = attribute(findAll(form, "input")[0]!, "value");
  const action = attribute(findAll(form, "form")[0]!, "action")!;
  const response = await world.post(action, { request, ...fields }, { cookie: cookieOf(browser) });
  await response.body?.cancel();
  for (const cookie of response.headers.getSetCookie()) {
    const [name = "", value = ""] = cookie.split(";")[0]!.split("=");
    browser.cookies.set(name, value);
  }
  return response;
}

it("continuation: every answer that leads to another page redirects to that page's address", async ({ world, browser }) => {
  const signIn = await browser.open(world.authorizeUrl());
  const { consent } = await openConsent(world, browser);
  const other = await browser.submit(consent, { decision: "change_person" });
  await browser.submit(other, { person: "bob" });
  const chooser = await browser.open(world.authorizeUrl());
  const steps: readonly (readonly [page: Page, fields: Params, heading: string])[] = [
    [signIn, { person: "alice" }, "Allow public?"],
    [consent, { decision: "change_person" }, "Sign in"],
    [chooser, { account: "bob" }, "Allow public?"],
    [chooser, { account: "" }, "Sign in"],
  ];
  assertEquals(headingOf(chooser), "Choose an account");
  for (const [page, fields, heading] of steps) {
    const response = await post(world, browser, page, fields);
    assertEquals([response.status, response.headers.get("cache-control")], [303, "no-store"]);
    const location = response.headers.get("location")!;
    assertMatch(location, /^\/oauth2\/authorize\?continue=[\w-]+$/);
    // Opens the addresses again, as Reload, Back and Forward do.
    for (let times = 0; times < 3; times++) {
      const shown = await browser.open(location);
      assertEquals([shown.status, shown.leftFor, headingOf(shown)], [200, undefined, heading]);
    }
  }
});

it("continuation: the page stays about its person, even after another person signs in", async ({ world }) => {
  const { browser, consent } = await openConsent(world);
  const other = await browser.submit(consent, { decision: "change_person" });
  const forBob = await browser.submit(other, { person: "bob" });
  for (const [page, name] of [[consent, "alice"], [forBob, "bob"], [consent, "alice"]] as const) {
    assertStringIncludes(personOf(await browser.open(page.url)), name);
  }
  assertEquals(headingOf(await browser.open(other.url)), "Sign in");
});

for (const changed of [{ prompt: "login" }, { max_age: "0" }, { prompt: "login consent" }]) {
  it(`continuation: ${JSON.stringify(changed)} asks for sign-in once, also after Reload`, async ({ world }) => {
    const { browser } = await openConsent(world);
    world.clock.advance(60);
    const { consent } = await openConsent(world, browser, changed);
    world.clock.advance(600);
    const again = await browser.open(consent.url);
    assertEquals(headingOf(again), "Allow public?");
    const code = codeOf(await browser.submit(again, { decision: "approve" }));
    await assertTokens(await world.redeem(code!));
    // The first address is a new request, so it asks again.
    assertEquals(headingOf(await browser.open(world.authorizeUrl(changed))), "Sign in");
  });
}

it("continuation: opening it changes nothing, by GET and by HEAD (RFC 9110 §9.2.1)", async ({ world, store }) => {
  const { browser, consent } = await openConsent(world);
  store.forget();
  for (const method of ["GET", "HEAD"]) {
    for (const site of ["same-origin", "none", "cross-site"]) {
      const request = new Request(consent.url, {
        method,
        headers: { cookie: cookieOf(browser), "sec-fetch-site": site, "sec-fetch-mode": "navigate" },
      });
      const response = await world.fetch(request);
      assertEquals([response.status, response.headers.get("set-cookie")], [200, null]);
      assertEquals(response.headers.get("cache-control"), "no-store");
      assertEquals(response.headers.get("referrer-policy"), "no-referrer");
      assertMatch(response.headers.get("content-security-policy")!, /frame-ancestors 'none'/);
      await response.body?.cancel();
    }
  }
  assertEquals(store.writes, []);
});

it("continuation: with nothing left to ask, a form gets a code, but an address still asks", async ({ world, browser }) => {
  // Two tabs: in one of them the person approves, and consent is remembered.
  const first = await browser.open(world.authorizeUrl());
  const second = await browser.open(world.authorizeUrl());
  const third = await browser.open(world.authorizeUrl());
  const [consent, other] = [
    await browser.submit(first, { person: "alice" }),
    await browser.submit(second, { person: "alice" }),
  ];
  assert(codeOf(await browser.submit(consent, { decision: "approve" })));
  const reloaded = await browser.open(other.url);
  assertEquals([reloaded.leftFor, headingOf(reloaded)], [undefined, "Allow public?"]);
  const answered = await post(world, browser, third, { person: "alice" });
  assertMatch(answered.headers.get("location")!, /^https:\/\/app\.example\/cb\?code=/);
});

const homes = [
  ["https://app.example/deep/cb?x=1", undefined, "https://app.example/"],
  ["https://app.example/cb", "https://www.app.example/shop", "https://www.app.example/shop"],
  ["http://127.0.0.1:7000/cb", undefined, "http://127.0.0.1:7000/"],
  ["com.example.app:/cb", undefined, undefined],
  ["https://as.test/authorized", undefined, undefined],
] as const;
for (const [uri, client_uri, expected] of homes) {
  test(`continuation: after an answer to a pushed request of ${uri}, Back leads to ${expected ?? "no application"}`, () =>
    inWorld({
      login: "picker",
      clients: [{
        client_id: "app",
        redirect_uris: [uri],
        ...(client_uri === undefined ? {} : { client_uri }),
      }],
    }, async (world) => {
      const params = authorizationParams({ client_id: "app", redirect_uri: uri });
      const { request_uri } = await (await world.post("/oauth2/par", params)).json();
      const browser = createBrowser(world);
      const query = new URLSearchParams({ client_id: "app", request_uri });
      const page = await browser.open(`/oauth2/authorize?${query}`);
      const consent = await browser.submit(page, { person: "alice" });
      await browser.submit(consent, { decision: "approve" });
      const back = readHtml((await browser.open(consent.url)).html);
      assertEquals(world.lastRefusal()?.reason, "already_approved");
      const link = findById(back, "application");
      assertEquals(link && attribute(link, "href"), expected);
      assertEquals(findById(back, "start-again"), undefined, "a pushed request is valid once");
    }));
}

test("continuation: who signs in a moment after another browser has answered the request is signed in, too", async () => {
  const interrupted = interruptedStore("put", "grant");
  await inWorld({ store: interrupted.store, login: "auto:alice" }, async (world) => {
    const { request_uri } = await (await world.post("/oauth2/par", authorizationParams())).json();
    const url = `/oauth2/authorize?${new URLSearchParams({ client_id: "public", request_uri })}`;
    const [first, second] = [createBrowser(world), createBrowser(world)];
    interrupted.meanwhile = async () => assert(codeOf(await first.open(url)));
    const late = await second.open(url);
    assertEquals([late.status, world.lastRefusal()?.reason], [409, "already_approved"]);
    assertEquals([...second.cookies.keys()], [...first.cookies.keys()]);
    assertEquals(first.cookies.size > 0, true);
  });
});

const decisions = [["approve", "already_approved", "approved"], [
  "deny",
  "already_denied",
  "denied",
]] as const;
for (const [decision, reason, words] of decisions) {
  it(`continuation: after ${decision}, Back shows the decision and can start the same request again`, async ({ world }) => {
    const changed = {
      state: "a state & more",
      prompt: "consent",
      resource: ["https://a.test/", "https://b.test/"],
    };
    const { browser, consent } = await openConsent(world, undefined, changed);
    await browser.submit(consent, { decision });
    const back = await browser.open(consent.url);
    assertEquals([back.status, back.leftFor, world.lastRefusal()?.reason], [409, undefined, reason]);
    const page = readHtml(back.html);
    assertEquals(textOf(byId(page, "description")), `This request has already been ${words}`);
    const link = attribute(byId(page, "start-again"), "href")!;
    const asked = new URL(world.authorizeUrl(changed));
    assertEquals([...new URL(link, world.issuer).searchParams], [...asked.searchParams]);
    const again = await browser.open(link);
    assertEquals(headingOf(again), "Allow public?");
    assert(codeOf(await browser.submit(again, { decision: "approve" })));
  });
}

it("continuation: expires an hour after the request, and the same request can start again", async ({ world }) => {
  const { browser, consent } = await openConsent(world);
  world.clock.advance(3599);
  assertEquals((await browser.open(consent.url)).status, 200);
  world.clock.advance(1);
  const latePages = [await browser.open(consent.url), await browser.submit(consent, { decision: "approve" })];
  for (const late of latePages) {
    assertEquals([late.status, world.lastRefusal()?.reason], [400, "form_too_old"]);
    const link = attribute(byId(readHtml(late.html), "start-again"), "href")!;
    assertEquals(new URL(link, world.issuer).href, world.authorizeUrl());
  }
});

it("continuation: an altered address or one of another browser is refused without a link to start again", async ({ world }) => {
  const { browser, consent } = await openConsent(world);
  const { browser: others, consent: theirs } = await openConsent(world);
  const encrypted = continueOf(consent);
  const form = attribute(findAll(readHtml(consent.html), "input")[0]!, "value")!;
  const own = cookieOf(browser);
  const attempts: readonly (readonly [value: string, cookie: string])[] = [
    [encrypted, ""],
    [encrypted, cookieOf(others)],
    [continueOf(theirs), own],
    [encrypted.slice(0, -1), own],
    [(encrypted[0] === "A" ? "B" : "A") + encrypted.slice(1), own],
    // The encrypted request of a form does not work in an address.
    [form, own],
    ["stored.7.AAAAAAAAAAAAAAAA", own],
    ["", own],
  ];
  const expected = { error: "invalid_request", reason: "form_not_ours", status: 403 };
  for (const [value, cookie] of attempts) {
    const response = await world.get(`/oauth2/authorize?continue=${value}`, { cookie });
    const page = readHtml(await assertRefusedOnPage(world, response, expected));
    assertEquals(findById(page, "start-again"), undefined);
    assertMatch(textOf(byId(page, "expected")), /start again from the application/);
    assert(findById(page, "home"));
  }
  // The encrypted request of an address does not work in a form.
  const asForm = await world.post("/oauth2/consent", { request: encrypted, decision: "approve" }, {
    cookie: own,
  });
  await assertRefusedOnPage(world, asForm, expected);
});

it("continuation: the address contains no value of the request", async ({ world }) => {
  const secret = { state: "STATE-CANARY", nonce: "NONCE-CANARY", login_hint: "alice" };
  const { consent } = await openConsent(world, undefined, secret);
  const opened = atob(continueOf(consent).replaceAll("-", "+").replaceAll("_", "/"));
  assertNotMatch(consent.url + opened, /CANARY|alice|public|redirect_uri/);
});

it("continuation: beside other parameters it is ignored like an unknown parameter (OAuth 2.1 §3.1)", async ({ world, browser }) => {
  const { consent } = await openConsent(world, browser);
  for (const value of ["x", continueOf(consent)]) {
    const page = await createBrowser(world).open(world.authorizeUrl({ continue: value }));
    assertEquals([page.status, headingOf(page)], [200, "Sign in"]);
  }
});

test("continuation: the redirect stays at the host name that the browser uses", () =>
  inWorld({ ...picker, issuer: "http://localhost:9000" }, async (world) => {
    const elsewhere = { ...world, issuer: "http://127.0.0.1:9000" };
    const browser = createBrowser(elsewhere);
    const url = world.authorizeUrl().replace("localhost", "127.0.0.1");
    const consent = await browser.submit(await browser.open(url), { person: "alice" });
    assertEquals([new URL(consent.url).host, headingOf(consent)], ["127.0.0.1:9000", "Allow public?"]);
    assert(codeOf(await browser.submit(consent, { decision: "approve" })));
  }));

test("continuation: the address of a page with a failed sign-in shows the page without the problem", () => {
  const people = [{ username: "alice", password: "correct horse" }];
  return inWorld({ ...picker, people }, async (world) => {
    const browser = createBrowser(world);
    const signIn = await browser.open(world.authorizeUrl());
    const wrong = { username: "alice", password: "wrong" };
    const failed = await browser.submit(signIn, wrong);
    assertEquals([failed.status, world.lastRefusal()?.reason], [400, "wrong_password"]);
    const address = attribute(byId(readHtml(failed.html), "problem"), "data-address")!;
    const shown = await browser.open(address);
    assertEquals([shown.status, headingOf(shown)], [200, "Sign in"]);
    assertEquals(findById(readHtml(shown.html), "problem"), undefined);
    const consent = await browser.submit(shown, { username: "alice", password: "correct horse" });
    assertEquals(headingOf(consent), "Allow public?");
  });
});

const longState = "s".repeat(7000);

async function countRecords(store: ReturnType<typeof countingStore>): Promise<number> {
  return (await valuesOf(store, { name: "long_request" })).length;
}

it("continuation: an address has at most 8,000 characters; a longer request is stored for an hour", async ({ world, store }) => {
  const addressOf = async (length: number) =>
    (await openConsent(world, undefined, { state: "s".repeat(length) })).consent.url;
  const short = await addressOf(5000);
  // Three octets of the request are four characters of the address.
  const near = 5000 + Math.floor((8000 - short.length) * 3 / 4);
  const addresses = [];
  for (let length = near - 3; length <= near + 3; length++) addresses.push(await addressOf(length));
  const longest = Math.max(...addresses.map((address) => address.length));
  assert(longest > 7996 && longest <= 8000, `${longest}`);
  const stored = addresses.filter((address) => address.includes("stored."));
  assertEquals(await countRecords(store), stored.length);
  assert(stored.length > 0 && stored.length < addresses.length);

  const { browser, consent } = await openConsent(world, undefined, { state: longState });
  assertMatch(consent.url, /\?continue=stored\.\d+\.[\w-]{16}$/);
  const reloaded = await browser.open(consent.url);
  assertEquals(headingOf(reloaded), "Allow public?");
  // The end of the address says which request it means, because a later one may have the same number.
  assertEquals((await browser.open(`${consent.url.slice(0, -16)}${"A".repeat(16)}`)).status, 403);
  const { browser: others } = await openConsent(world);
  assertEquals((await others.open(consent.url)).status, 403);
  const answer = await browser.submit(reloaded, { decision: "approve" });
  assertEquals(new URL(answer.leftFor!).searchParams.get("state"), longState);
  await assertTokens(await world.redeem(codeOf(answer)!));
  const back = await browser.open(consent.url);
  assertEquals([back.status, world.lastRefusal()?.reason], [409, "already_approved"]);
  world.clock.advance(3600);
  assertEquals((await browser.open(consent.url)).status, 403);
});

it("continuation: at most 256 long requests are stored; beyond that a form is answered with the next page", async ({ world, browser, store }) => {
  const { now } = world.clock;
  for (let id = 0; id < 256; id++) {
    const terms = { expiresAt: now + 3600, now };
    await store.put({ name: "long_request" }, `${id}`, { sealed: "" }, terms);
  }
  const submitLong = async () => {
    const page = await browser.open(world.authorizeUrl({ state: longState, prompt: "login consent" }));
    return await browser.submit(page, { person: "alice" });
  };
  const direct = await submitLong();
  assertEquals([direct.status, headingOf(direct)], [200, "Allow public?"]);
  assertMatch(direct.url, /\/oauth2\/sign_in$/);
  assert(codeOf(await browser.submit(direct, { decision: "approve" })));
  assertEquals(await countRecords(store), 256);
  world.clock.advance(3600);
  assertMatch((await submitLong()).url, /\?continue=stored\./);
});

it("continuation: the refusal of a request that is too long for a link has no link to start again", async ({ world }) => {
  const form = {
    ...Object.fromEntries(new URL(world.authorizeUrl()).searchParams),
    state: '"'.repeat(12_000),
  };
  const body = new URLSearchParams(form).toString().replaceAll("%22", '"');
  const response = await world.post("/oauth2/authorize", body);
  const cookie = response.headers.getSetCookie()[0]!.split(";")[0]!;
  const request = attribute(findAll(readHtml(await response.text()), "input")[0]!, "value")!;
  world.clock.advance(3600);
  const late = await world.post("/oauth2/sign_in", { request, person: "alice" }, { cookie });
  assertEquals([late.status, world.lastRefusal()?.reason], [400, "form_too_old"]);
  assertEquals(findById(readHtml(await late.text()), "start-again"), undefined);
});

for (const [first, second] of [["approve", "deny"], ["deny", "approve"]] as const) {
  it(`consent: ${first} and then ${second} with the same form: the first one counts (OAuth 2.1 §4.1.2)`, async ({ world, store }) => {
    const { browser, consent } = await openConsent(world);
    const answer = await browser.submit(consent, { decision: first });
    const answered = new URL(answer.leftFor!).searchParams;
    const [error, reason] = first === "approve"
      ? [null, "already_approved"]
      : ["access_denied", "already_denied"];
    assertEquals([answered.has("code"), answered.get("error")], [first === "approve", error]);
    store.forget();
    const refused = await browser.submit(consent, { decision: second });
    assertEquals([refused.status, refused.leftFor], [409, undefined]);
    assertEquals(world.lastRefusal()?.reason, reason);
    assert(findById(readHtml(refused.html), "start-again"));
    assertEquals(store.writes, [], "the second decision writes nothing");
    const code = answered.get("code");
    if (code !== null) await assertTokens(await world.redeem(code));
  });
}

it("consent: a denial is stored until its form expires", async ({ world, browser, store }) => {
  const signIn = await browser.open(world.authorizeUrl());
  world.clock.advance(600);
  await browser.submit(signIn, { decision: "deny" });
  world.clock.advance(2999);
  assertEquals((await browser.submit(signIn, { person: "alice" })).status, 409);
  assertEquals(world.lastRefusal()?.reason, "already_denied");
  // Another server may accept the form for longer, and a sweep leaves records for an hour.
  const kept = 180 + 3600;
  assertEquals(await store.sweep!(100, world.clock.now + kept), 0);
  world.clock.advance(1);
  assertEquals((await browser.submit(signIn, { person: "alice" })).status, 400);
  assertEquals(world.lastRefusal()?.reason, "form_too_old");
  await store.sweep!(100, world.clock.now + kept);
  assertEquals(await valuesOf(store, grants), []);
});

it("sign-in: an error is the only answer to the client, also when another person signs in", async ({ world, browser }) => {
  const claims = JSON.stringify({ id_token: { sub: { value: "alice" } } });
  const signIn = await browser.open(world.authorizeUrl({ scope: "openid", nonce: "n", claims }));
  const answer = await browser.submit(signIn, { person: "bob" });
  assertEquals(new URL(answer.leftFor!).searchParams.get("error"), "login_required");
  const refused = await browser.submit(signIn, { person: "alice" });
  assertEquals([refused.status, world.lastRefusal()?.reason], [409, "already_denied"]);
});
