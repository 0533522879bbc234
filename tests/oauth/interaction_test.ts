/** Sign-in and consent between a valid request and its answer. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import type { Store } from "../../src/mod.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { byId, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { isRule } from "../security/our_page.ts";
import { test } from "../runner.ts";
import { testWith } from "./test_in_world.ts";
import { valuesOf } from "../security/counting_store.ts";
import { type Browser, createBrowser, inWorld, type Page, redirectUri, type World } from "../world.ts";
import { assertRefusedOnPage, assertTokens } from "./refusals.ts";

const picker = { login: "picker" };

const it = testWith(picker);

const headingOf = (page: Page) => textOf(findAll(readHtml(page.html), "h1")[0]!);
const codeOf = (page: Page) => new URL(page.leftFor ?? "").searchParams.get("code");

async function idsOf(store: Store, kind: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list!({ name: kind })) ids.push(id);
  return ids;
}

it("interaction: a code is issued only after sign-in and consent (OAuth 2.1 §3.1, §1.6)", async ({ world, browser, store }) => {
  const signIn = await browser.open(world.authorizeUrl());
  assertEquals([signIn.status, signIn.leftFor, headingOf(signIn)], [200, undefined, "Sign in"]);
  const consent = await browser.submit(signIn, { person: "alice" });
  assertEquals([consent.status, consent.leftFor, headingOf(consent)], [200, undefined, "Allow public?"]);
  assertEquals(await idsOf(store, "grant"), []);
  const answer = await browser.submit(consent, { decision: "approve" });
  assertEquals(answer.status, 303);
  assertEquals(new URL(answer.leftFor!).origin + new URL(answer.leftFor!).pathname, redirectUri);
  assertEquals([...new URL(answer.leftFor!).searchParams.keys()], ["code", "state", "iss"]);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(await idsOf(store, "grant"), [codeOf(answer)!.split(".")[0]!]);
  await assertTokens(await world.redeem(codeOf(answer)!));
});

it("interaction: a denial at either stage gives no code and stores the denial (OAuth 2.1 §4.1.2.1)", async ({ world, browser, store }) => {
  const signIn = await browser.open(world.authorizeUrl());
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  for (const page of [signIn, consent]) {
    const denied = await browser.submit(page, { decision: "deny" });
    assertEquals(denied.status, 303);
    assertEquals(new URL(denied.leftFor!).searchParams.get("error"), "access_denied");
  }
  const kept = await valuesOf(store, grants);
  assertEquals(kept, Array(2).fill({ status: "denied", clientId: "public" }));
});

it("interaction: a signed-in person gets the consent page without sign-in (OAuth 2.1 §7.13.2, §7.3.1)", async ({ world, browser }) => {
  const first = await browser.submit(await browser.open(world.authorizeUrl()), { person: "bob" });
  assert(codeOf(await browser.submit(first, { decision: "approve" })));
  // The request asks for more than bob's remembered consent (see consent_test.ts).
  const more = { scope: "read write" };
  const again = await browser.open(world.authorizeUrl(more));
  assertEquals([again.status, again.leftFor, headingOf(again)], [200, undefined, "Allow public?"]);
  assertEquals(textOf(byId(readHtml(again.html), "person")).includes("bob"), true);
  world.clock.advance(8 * 3600);
  for (const changed of [{}, more]) {
    assertEquals(headingOf(await browser.open(world.authorizeUrl(changed))), "Sign in");
  }
});

test("interaction: the consent page shows the client, the redirect URI and each scope (OAuth 2.1 §7.9)", () =>
  inWorld({
    ...picker,
    scopes: { read: "Look at your notes", "notes:write": "Change your notes" },
    clients: [{ client_id: "notes", client_name: "Notes & more", redirect_uris: [redirectUri] }],
  }, async (world) => {
    const browser = createBrowser(world);
    const url = world.authorizeUrl({ client_id: "notes", scope: "read notes:write" });
    const consent = await browser.submit(await browser.open(url), { person: "alice" });
    const document = readHtml(consent.html);
    assertEquals(headingOf(consent), "Allow Notes & more?");
    assertEquals(textOf(byId(document, "client-id")), "notes");
    assertEquals(textOf(byId(document, "redirect-uri")), redirectUri);
    const scopes = textOf(byId(document, "scopes"));
    for (const words of ["Look at your notes", "Change your notes", "notes:write"]) {
      assertStringIncludes(scopes, words);
    }
  }));

it("interaction: a form gives no second code, even if the first was not redeemed (RFC 6749 §10.12)", async ({ world, browser }) => {
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  assertEquals((await browser.submit(consent, { decision: "approve" })).leftFor === undefined, false);
  world.clock.advance(3599);
  const second = await browser.submit(consent, { decision: "approve" });
  assertEquals([second.status, second.leftFor], [409, undefined]);
  assertEquals(world.lastRefusal()?.reason, "already_approved");
});

it("interaction: a form with two decisions is refused, in either order", async ({ world, browser }) => {
  const signIn = await browser.open(world.authorizeUrl());
  assertEquals((await browser.submit(signIn, { person: ["alice", "bob"] })).status, 400);
  const consent = await browser.submit(signIn, { person: "alice" });
  for (const decision of [["approve", "deny"], ["deny", "approve"]]) {
    const page = await browser.submit(consent, { decision });
    assertEquals([page.status, page.leftFor], [400, undefined]);
    assertEquals(world.lastRefusal()?.reason, "repeated_parameter");
  }
});

it("interaction: a consent form of another person asks the signed-in person again (RFC 6749 §10.12)", async ({ world, browser }) => {
  const signIn = await browser.open(world.authorizeUrl());
  const forAlice = await browser.submit(signIn, { person: "alice" });
  await browser.submit(await browser.open(world.authorizeUrl()), { decision: "deny" });
  signOut(browser);
  await browser.submit(signIn, { person: "bob" });
  const asked = await browser.submit(forAlice, { decision: "approve" });
  assertEquals([asked.status, asked.leftFor, headingOf(asked)], [200, undefined, "Allow public?"]);
  assertStringIncludes(textOf(byId(readHtml(asked.html), "person")), "bob");
});

function signOut({ cookies }: Browser): void {
  for (const name of cookies.keys()) if (name.includes("postern_session")) cookies.delete(name);
}

it("interaction: with two people in one browser, each form counts for the person that it names (RFC 6749 §10.12)", async ({ world, browser }) => {
  const forAlice = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  world.clock.advance(1);
  const other = await browser.open(world.authorizeUrl({ prompt: "login" }));
  const forBob = await browser.submit(other, { person: "bob" });
  for (const [form, sub] of [[forAlice, "alice"], [forBob, "bob"]] as const) {
    assertStringIncludes(textOf(byId(readHtml(form.html), "person")), sub);
    const answer = await browser.submit(form, { decision: "approve" });
    const tokens = await assertTokens(await world.redeem(codeOf(answer)!));
    assertEquals(decodeJwt(String(tokens["access_token"])).sub, sub);
  }
  // A new request gets the chooser.
  assertEquals(headingOf(await browser.open(world.authorizeUrl())), "Choose an account");
});

it("interaction: a consent form signs no person in, and a sign-in form approves nothing (OAuth 2.1 §3.1)", async ({ world, browser }) => {
  const signIn = await browser.open(world.authorizeUrl());
  const action = signIn.html.replaceAll("/oauth2/sign_in", "/oauth2/consent");
  const asked = await browser.submit({ ...signIn, html: action }, { decision: "approve", person: "alice" });
  assertEquals([asked.status, asked.leftFor, headingOf(asked)], [200, undefined, "Sign in"]);
  const both = await browser.submit(signIn, { person: "alice", decision: "approve" });
  assertEquals([both.status, both.leftFor, headingOf(both)], [200, undefined, "Allow public?"]);
});

it("interaction: a consent form without a decision is refused on a page (RFC 6749 §10.12)", async ({ world, browser }) => {
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  for (const decision of [undefined, "", "maybe", "Approve"]) {
    const page = await browser.submit(consent, { decision });
    assertEquals([page.status, page.leftFor], [400, undefined]);
    assertEquals(world.lastRefusal()?.reason, "decision_missing");
  }
  assert(codeOf(await browser.submit(consent, { decision: "approve" })));
});

/** Signs in and opens a consent page. Returns the page with its sealed request and cookies. */
async function openConsentPage(world: World) {
  const browser = createBrowser(world);
  const page = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  const request = findAll(readHtml(page.html), "input")[0]!.attributes.get("value")!;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { browser, page, request, cookie };
}

const foreign = { error: "invalid_request", reason: "form_from_another_site", status: 403 };
const forged = { error: "invalid_request", reason: "form_not_ours", status: 403 };

it("interaction: a form of another site is refused before any other check (RFC 6749 §10.12)", async ({ world }) => {
  const { request, cookie } = await openConsentPage(world);
  const own = [{ request, cookie }, await openConsentPage(world)];
  for (const path of ["/oauth2/consent", "/oauth2/sign_in"]) {
    for (const site of ["cross-site", "same-site"]) {
      const form = { request, decision: "approve", person: "alice" };
      const response = await world.post(path, form, { cookie, "sec-fetch-site": site });
      await assertRefusedOnPage(world, response, foreign);
    }
  }
  for (const [at, site] of ["same-origin", "none"].entries()) {
    const { request, cookie } = own[at]!;
    const response = await world.post("/oauth2/consent", { request, decision: "deny" }, {
      cookie,
      "sec-fetch-site": site,
    });
    assertEquals(response.status, 303);
  }
});

it("interaction: only the unchanged form of this browser is accepted (RFC 6749 §10.12)", async ({ world }) => {
  const { request, cookie } = await openConsentPage(world);
  const other = await openConsentPage(world);
  const approve = { request, decision: "approve" };
  const [browserCookie = "", sessionCookie = ""] = cookie.split("; ");
  const attempts: readonly (readonly [form: Record<string, string>, cookie: string])[] = [
    [approve, ""],
    [approve, sessionCookie],
    [approve, other.cookie],
    [approve, `${browserCookie}; ${browserCookie}; ${sessionCookie}`],
    [approve, `${browserCookie.replace(/.$/, "")}; ${sessionCookie}`],
    [{ ...approve, request: other.request }, cookie],
    [{ ...approve, request: request.slice(0, -1) }, cookie],
    [{ ...approve, request: (request[0] === "A" ? "B" : "A") + request.slice(1) }, cookie],
    [{ ...approve, request: "" }, cookie],
    [{ decision: "approve" }, cookie],
  ];
  for (const [form, cookie] of attempts) {
    await assertRefusedOnPage(world, await world.post("/oauth2/consent", form, { cookie }), forged);
  }
  assertEquals((await world.post("/oauth2/consent", approve, { cookie })).status, 303);
});

it("interaction: a form of another server is refused (RFC 6749 §10.12)", async ({ world }) => {
  const { request, cookie } = await openConsentPage(world);
  await inWorld({ ...picker, issuer: "https://other.test" }, async (other) => {
    const response = await other.post("/oauth2/consent", { request, decision: "approve" }, { cookie });
    await assertRefusedOnPage(other, response, forged);
  });
});

it("interaction: GET makes no decision (RFC 6749 §10.12)", async ({ world }) => {
  const { request, cookie } = await openConsentPage(world);
  for (const path of ["consent", "sign_in"]) {
    const query = new URLSearchParams({ request, decision: "approve" });
    const response = await world.get(`/oauth2/${path}?${query}`, { cookie });
    const expected = { error: "invalid_request", reason: "method_not_allowed", status: 405 };
    await assertRefusedOnPage(world, response, expected);
  }
});

it("interaction: no page can be framed or cached, or loads from other origins, or links to them but for rules (RFC 9700 §4.2.4)", async ({ world, browser }) => {
  const signIn = await browser.open(world.authorizeUrl());
  const pages = [
    signIn,
    await browser.submit(signIn, { person: "alice" }),
    await browser.submit(signIn, { username: "alice", password: "wrong" }),
    await browser.open(world.authorizeUrl({ client_id: "unknown" })),
    await browser.open("/"),
    await browser.open("/authorized?error=access_denied"),
  ];
  for (const { headers, html } of pages) {
    assertMatch(headers.get("content-security-policy")!, /default-src 'none'.*frame-ancestors 'none'/);
    assertEquals(headers.get("x-frame-options"), "DENY");
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("referrer-policy"), "no-referrer");
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    for (
      const { attributes } of ["a", "link", "script", "img", "form"].flatMap((name) =>
        findAll(readHtml(html), name)
      )
    ) {
      const target = attributes.get("href") ?? attributes.get("src") ?? attributes.get("action")!;
      // The rule of a refusal is a link to its specification, which learns nothing about this page.
      if (isRule(target)) assertEquals(attributes.get("rel"), "noopener noreferrer");
      else assertEquals(new URL(target, world.issuer).origin, world.issuer);
    }
  }
});
