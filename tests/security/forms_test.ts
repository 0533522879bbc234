/** Sign-in and consent accept a form only from the browser that it was made for. */

import { assert, assertEquals } from "@std/assert";
import { type Grant, grants } from "../../src/server/oauth/contracts/grant.ts";
import { test } from "../runner.ts";
import { testWith } from "../server/oauth/test_in_world.ts";
import {
  type Browser,
  createBrowser,
  createWorld,
  type Page,
  type Params,
  sampleKey,
  sampleRsaKey,
  type World,
  worldDefaults,
  type WorldOptions,
} from "../world.ts";
import { type CountingStore, valuesOf } from "./counting_store.ts";
import { cookieHeader, cookieNamed, signIn } from "./signed_in.ts";
import { formType, requestTo } from "./site.ts";
import { appCode, people } from "../server/features/second_factor.ts";

const it = testWith({ login: "picker" });
const itWithFactor = testWith({ login: "picker", people: [...people, { username: "bob" }] });

/** A way to send a person's form without that person. */
interface Forgery {
  readonly what: string;
  readonly status?: number;
  /** Default: the form is not of this browser. */
  readonly reason?: string;
  readonly fields?: (request: string) => Params;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: (mine: Browser, others: Browser) => string;
  readonly method?: string;
}

const flipLast = (text: string) => text.slice(0, -2) + (text.at(-2) === "A" ? "B" : "A") + text.at(-1);

const fromElsewhere = "form_from_another_site";

const forgeries: readonly Forgery[] = [
  { what: "no encrypted request", fields: () => ({ request: undefined }) },
  { what: "an empty encrypted request", fields: () => ({ request: "" }) },
  { what: "a made-up encrypted request", fields: () => ({ request: "A".repeat(400) }) },
  { what: "a changed encrypted request", fields: (request) => ({ request: flipLast(request) }) },
  { what: "an encrypted request cut short", fields: (request) => ({ request: request.slice(0, -4) }) },
  { what: "an encrypted request with a longer end", fields: (request) => ({ request: `${request}AAAA` }) },
  { what: "a nonce and nothing else", fields: (request) => ({ request: request.slice(0, 16) }) },
  { what: "no cookies", cookies: () => "" },
  { what: "another browser's cookies", cookies: (_mine, others) => cookieHeader(others) },
  {
    what: "another browser's secret and this one's session",
    cookies: (mine, others) => {
      const name = cookieNamed(mine, "browser");
      return [...new Map(mine.cookies).set(name, others.cookies.get(name)!)].map((pair) => pair.join("="))
        .join("; ");
    },
  },
  {
    what: "a planted secret in front of its own",
    cookies: (mine, others) => `${cookieHeader(others)}; ${cookieHeader(mine)}`,
  },
  {
    what: "a planted secret behind its own",
    cookies: (mine, others) => `${cookieHeader(mine)}; ${cookieHeader(others)}`,
  },
  { what: "a cross-site navigation", reason: fromElsewhere, headers: { "sec-fetch-site": "cross-site" } },
  {
    what: "a same-site navigation from another origin",
    reason: fromElsewhere,
    headers: { "sec-fetch-site": "same-site" },
  },
  { what: "the origin of another site", reason: fromElsewhere, headers: { origin: "https://evil.example" } },
  {
    what: "an origin that begins like ours",
    reason: fromElsewhere,
    headers: { origin: "https://as.test.evil.example" },
  },
  { what: "our host at another port", reason: fromElsewhere, headers: { origin: "https://as.test:8443" } },
  {
    what: "the origin of our host without TLS",
    reason: fromElsewhere,
    headers: { origin: "http://as.test" },
  },
  { what: "text/plain", status: 400, reason: "not_a_form", headers: { "content-type": "text/plain" } },
  { what: "JSON", status: 400, reason: "not_a_form", headers: { "content-type": "application/json" } },
  { what: "GET", status: 405, reason: "method_not_allowed", method: "GET" },
];

for (const step of ["sign-in", "consent", "second factor"] as const) {
  for (const forgery of forgeries) {
    const inStep = step === "second factor" ? itWithFactor : it;
    inStep(
      `form, ${step}: ${forgery.what} is refused and changes nothing, and the person's own form works afterwards`,
      async ({ world, store }) => {
        const { browser: others } = await signIn(world, "bob");
        const browser = createBrowser(world);
        let page = await browser.open(
          world.authorizeUrl(step === "second factor" ? { acr_values: "mfa" } : {}),
        );
        if (step === "consent") page = await browser.submit(page, { person: "alice" });
        if (step === "second factor") page = await browser.submit(page, { person: "carol" });
        // The forged forms have the right code, and a refused one does not use it up.
        const answers = {
          "sign-in": [{ person: "bob" }, { decision: "deny" }],
          consent: [{ decision: "approve" }, { decision: "deny" }],
          "second factor": [{ code: appCode(world.clock.now) }, { decision: "deny" }],
        }[step];
        for (const answer of answers) {
          await assertForgeryFails(world, store, { browser, others, page, answer }, forgery);
        }
        const then = await browser.submit(page, answers[0]!, {
          origin: "https://as.test",
          "sec-fetch-site": "same-origin",
        });
        assertEquals(
          [then.status, then.leftFor === undefined],
          step === "consent" ? [303, false] : [200, true],
        );
      },
    );
  }
}

async function assertForgeryFails(
  world: World,
  store: CountingStore,
  visit: {
    readonly browser: Browser;
    readonly others: Browser;
    readonly page: Page;
    readonly answer: Params;
  },
  { status = 403, reason = "form_not_ours", fields, headers, cookies, method = "POST" }: Forgery,
): Promise<void> {
  const { browser, others, page, answer } = visit;
  const request = /name="request" value="([^"]*)"/.exec(page.html)![1]!;
  const action = /<form[^>]* action="([^"]*)"/.exec(page.html)![1]!;
  const sent = { request, ...answer, ...fields?.(request) };
  store.forget();
  const cookie = cookies === undefined ? cookieHeader(browser) : cookies(browser, others);
  const init = requestTo(world, { method: method === "GET" ? "GET" : "POST", path: action }, sent, {
    ...formType,
    ...headers,
    ...(cookie === "" ? {} : { cookie }),
  });
  const response = await world.fetch(init);
  assertEquals([response.status, world.lastRefusal()?.reason], [status, reason], JSON.stringify(answer));
  assertEquals([response.headers.get("location"), response.headers.getSetCookie()], [null, []]);
  assertEquals(store.writes, []);
}

test("form: the browser's own form is accepted, also with Origin: null, which no-referrer pages send", async () => {
  const sameOrigin = { "sec-fetch-site": "same-origin" };
  const accepted = [{}, { origin: "https://as.test", ...sameOrigin }, { origin: "null", ...sameOrigin }];
  for (const headers of accepted) {
    await using world = createWorld({ login: "picker" });
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl());
    const consent = await browser.submit(page, { person: "alice" }, headers);
    assertEquals((await browser.submit(consent, { decision: "approve" }, headers)).status, 303);
  }
});

it("form: behind a TLS proxy, a form with the issuer's origin is accepted", async ({ world }) => {
  const plain = (url: string) => url.replace("https://as.test", "http://as.test");
  const browser = createBrowser({ ...world, issuer: "http://as.test" });
  const headers = { origin: "https://as.test", "sec-fetch-site": "same-origin" };
  const page = await browser.open(plain(world.authorizeUrl()));
  const consent = await browser.submit(page, { person: "alice" }, headers);
  assertEquals(consent.status, 200);
  assertEquals((await browser.submit(consent, { decision: "approve" }, headers)).status, 303);
});

const others: readonly (readonly [keys: string, options: WorldOptions, status: number])[] = [
  ["keys that it made", {}, 403],
  ["other configured keys", { alg: "RS256", signingKeys: [sampleRsaKey] }, 403],
  ["the same keys", { signingKeys: [sampleKey] }, 200],
];
for (const [keys, options, status] of others) {
  const answer = status === 200 ? "accepted" : "refused, even with the same browser cookie";
  it(`form: a form of another server with ${keys} is ${answer}`, async ({ world, store }) => {
    const { issuer, clients } = worldDefaults;
    const defaults = { issuer: issuer!, clients: clients! };
    await using foreign = createWorld({ login: "picker", alg: "ES256", ...options }, defaults);
    const browser = createBrowser(world);
    await browser.open(world.authorizeUrl());
    const abroad = createBrowser(foreign);
    for (const [name, value] of browser.cookies) abroad.cookies.set(name, value);
    const form = await abroad.open(world.authorizeUrl());
    assertEquals(form.status, 200);
    store.forget();
    assertEquals((await browser.submit(form, { person: "alice" })).status, status);
    assertEquals(store.writes.length > 0, status === 200);
  });
}

it("form: a form for one person, sent in another person's session, asks again", async ({ world, store, browser }) => {
  const first = await browser.open(world.authorizeUrl());
  const forAlice = await browser.submit(first, { person: "alice" });
  // Alice's session is gone, and bob signs in.
  browser.cookies.delete(cookieNamed(browser, "session"));
  await browser.submit(first, { person: "bob" });
  store.forget();
  const asked = await browser.submit(forAlice, { decision: "approve" });
  assert(
    asked.status === 200 && asked.html.includes('value="approve"') && asked.html.includes("Bob"),
    asked.html,
  );
  browser.cookies.delete(cookieNamed(browser, "session"));
  assert((await browser.submit(forAlice, { decision: "approve" })).html.includes('name="person"'));
  // The sign-in page's form names no person, so it cannot approve.
  const toConsent = { ...first, html: first.html.replaceAll("/oauth2/sign_in", "/oauth2/consent") };
  assert((await browser.submit(toConsent, { decision: "approve" })).status === 200);
  assertEquals(store.writes, []);
  assertEquals(await valuesOf(store, grants), []);
});

it("form: with two accounts signed in, a form approves for the account that it shows", async ({ world, store, browser }) => {
  const first = await browser.open(world.authorizeUrl());
  const forAlice = await browser.submit(first, { person: "alice" });
  // Encrypted values are random and may spell a name.
  const shown = forAlice.html.replace(/value="[\w-]{40,}"/g, "");
  assert(shown.includes("Alice") && !shown.includes("Bob"));
  await browser.submit(first, { person: "bob" });
  // The encrypted form decides who approves; other fields are ignored.
  const answer = await browser.submit(forAlice, { decision: "approve", person: "bob", account: "bob" });
  assertEquals(answer.status, 303);
  const kept = await valuesOf(store, grants) as readonly Grant[];
  assertEquals(kept.map(({ subject }) => subject), ["alice"]);
});

it("form: signing in does not extend its hour", async ({ world, browser }) => {
  const page = await browser.open(world.authorizeUrl());
  world.clock.advance(3599);
  const consent = await browser.submit(page, { person: "alice" });
  world.clock.advance(1);
  assertEquals((await browser.submit(consent, { decision: "approve" })).status, 400);
  assertEquals(world.lastRefusal()?.reason, "form_too_old");
});

it("GET grants nothing: a signed-in person is still asked", async ({ world, store }) => {
  const { browser } = await signIn(world, "alice");
  store.forget();
  for (const extra of ["", "&decision=approve", "&approve=1", "&account=alice", "&person=alice"]) {
    const page = await browser.open(world.authorizeUrl() + extra);
    assertEquals([page.status, page.leftFor], [200, undefined]);
  }
  // prompt=none does not count as consent.
  const { leftFor } = await browser.open(world.authorizeUrl({ prompt: "none" }));
  const answer = new URL(leftFor!).searchParams;
  assertEquals([answer.get("error"), answer.get("code")], ["consent_required", null]);
  assertEquals(store.writes, []);
  assertEquals(await valuesOf(store, grants), []);
});
