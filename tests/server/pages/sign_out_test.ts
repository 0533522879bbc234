/** Pages for several people in one browser: the chooser, the sign-out question, and its outcomes. */
import { assertEquals, assertFalse, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { accounts, pages, signOut } from "./examples.ts";
import { attribute, byId, findAll, readHtml, sentBy, textOf } from "./read_html.ts";

test("chooser: each button sends the request and its choice", () => {
  const document = readHtml(pages.accounts(accounts));
  const people = findAll(document, "button").filter((button) => attribute(button, "name") === "account");
  assertEquals(people.map((button) => sentBy(document, button)[1]), [
    ["account", "alice"],
    ["account", "carol"],
    ["account", ""],
  ]);
  assertEquals(people.map(textOf), [
    "Continue as Alice Archeralice · alice@example.org",
    "Continue as carol",
    "Use another account",
  ]);
  assertEquals(sentBy(document, byId(document, "deny")), [["request", "sealed.request"], [
    "decision",
    "deny",
  ]]);
  assertEquals(people[2], byId(document, "another-person"));
  for (const form of findAll(document, "form")) assertEquals(attribute(form, "action"), "/oauth2/account");
});

test("sign-out: names the people and the client, and has one button for each answer", () => {
  const document = readHtml(pages.signOut(signOut));
  assertEquals(findAll(byId(document, "signed-in"), "li").map(textOf), [
    "Alice Archer alice · alice@example.org",
    "carol ",
  ]);
  assertMatch(textOf(byId(document, "main")), /Demo app asks whether you want to sign out/);
  for (const [id, decision] of [["sign-out", "sign_out"], ["stay", "stay"]] as const) {
    assertEquals(sentBy(document, byId(document, id)), [
      ["request", "sealed.sign-out"],
      ["decision", decision],
    ]);
  }
  assertEquals(findAll(document, "button").filter((button) => button.attributes.has("autofocus")), []);
});

test("sign-out: says whether one person or all sign out, and what else ends", () => {
  assertEquals(textOf(byId(readHtml(pages.signOut(signOut)), "sign-out")), "Sign out all");
  const one = readHtml(pages.signOut({ ...signOut, people: signOut.people.slice(1) }));
  assertEquals(textOf(byId(one, "sign-out")), "Sign out");
  assertEquals(attribute(byId(one, "sign-out"), "aria-describedby"), "sign-out-note");
  assertMatch(textOf(byId(one, "sign-out-note")), /^Applications can .* allowed to keep its access/);
});

test("signed out: each outcome has its own text and a link home, and claims no more than is known", () => {
  const headings: Record<string, string> = {
    signed_out: "Signed out",
    not_signed_in: "Signed out",
    stayed: "Still signed in",
  };
  const texts = new Set<string>();
  for (const outcome of ["signed_out", "not_signed_in", "stayed"] as const) {
    const document = readHtml(pages.signedOut({ outcome, homeUrl: "/x/" }));
    assertEquals(textOf(findAll(document, "h1")[0]!), headings[outcome]);
    assertEquals(attribute(byId(document, "home"), "href"), "/x/");
    texts.add(textOf(byId(document, "outcome")));
    assertEquals(findAll(document, "form"), []);
  }
  assertEquals(texts.size, 3);
  // Other people may still be signed in, because a hint signs out one of several.
  assertFalse(
    /nobody/i.test(
      textOf(byId(readHtml(pages.signedOut({ outcome: "signed_out", homeUrl: "/" })), "outcome")),
    ),
  );
});
