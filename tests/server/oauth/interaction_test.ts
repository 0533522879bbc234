/** Sign-in and consent between a valid request and its answer. */

import { assert, assertEquals } from "@std/assert";
import type { Store } from "../../../src/mod.ts";
import { byId, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { testWith } from "./test_in_world.ts";
import { type Page, redirectUri } from "../../world.ts";
import { assertTokens } from "./refusals.ts";

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

it("interaction: the journal says whom each page asked, from the sign-in on", async ({ world, browser }) => {
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  await browser.submit(consent, { decision: "approve" });
  await browser.open(world.authorizeUrl({ scope: "read write" }));
  assertEquals(
    world.journal.map(({ facts: { endpoint, question, subject } }) => [endpoint, question, subject]),
    [
      ["authorize", "sign_in", undefined],
      // It leads to the page with the question, which the browser then opens.
      ["sign_in", "consent", "alice"],
      ["authorize", "consent", "alice"],
      ["consent", undefined, "alice"],
      ["authorize", "consent", "alice"],
    ],
  );
});
