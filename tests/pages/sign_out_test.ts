/** Pages for several people in one browser: the chooser, the sign-out question, and its outcomes. */
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import type { AccountsProps, SignOutProps } from "../../src/oauth/pages.ts";
import { test } from "../runner.ts";
import { home, pages } from "./examples.ts";
import {
  attribute,
  byId,
  type Element,
  everyElement,
  findAll,
  findById,
  readHtml,
  skeletonOf,
  textOf,
} from "./read_html.ts";

const alice = { username: "alice", name: "Alice Archer", email: "alice@example.org", hasPassword: false };
const carol = { username: "carol", hasPassword: true };

const accounts: AccountsProps = {
  action: "/oauth2/account",
  request: "sealed.request",
  client: { id: "demo", name: "Demo app", isUnverified: false },
  redirectUri: "https://app.example:8443/cb?x=1",
  people: [alice, carol],
};

const signOut: SignOutProps = {
  action: "/connect/logout",
  request: "sealed.sign-out",
  people: [alice, carol],
  client: { id: "demo", name: "Demo app", isUnverified: false },
  homeUrl: "/",
};

function sentBy(document: Element, button: Element): readonly (readonly [string, string])[] {
  const form = findAll(document, "form").find((each) => findAll(each, "button").includes(button))!;
  assertEquals(attribute(form, "method"), "post");
  return [...findAll(form, "input"), button].map((field) => [
    attribute(field, "name")!,
    attribute(field, "value") ?? "",
  ]);
}

const all = new Map([
  ["chooser", pages.accounts(accounts)],
  [
    "chooser for an unverified client",
    pages.accounts({ ...accounts, client: { id: "x", isUnverified: true } }),
  ],
  ["sign-out", pages.signOut(signOut)],
  ["sign-out of one", pages.signOut({ ...signOut, people: [carol] })],
  ...(["signed_out", "not_signed_in", "stayed"] as const).map((outcome) =>
    [outcome, pages.signedOut({ outcome, homeUrl: "/x/" })] as const
  ),
]);

for (const [name, html] of all) {
  const document = readHtml(html);

  test(`pages: ${name} is a complete document: one h1, landmarks, a title, headings in order`, () => {
    for (const landmark of ["h1", "header", "main", "footer", "title"]) {
      assertEquals(findAll(document, landmark).length, 1, landmark);
    }
    assertMatch(textOf(findAll(document, "title")[0]!), /^\S.+ · Postern$/);
    const ranks = [...everyElement(document)].flatMap(({ name }) => /^h(\d)$/.exec(name)?.[1] ?? []).map(
      Number,
    );
    for (const [at, rank] of ranks.entries()) assert(rank <= (ranks[at - 1] ?? 0) + 1, ranks.join(" "));
  });

  test(`pages: ${name} uses each id once, and refers to existing ids only`, () => {
    const ids = [...everyElement(document)].flatMap((element) => attribute(element, "id") ?? []);
    assertEquals(new Set(ids).size, ids.length, ids.join(" "));
    for (const element of everyElement(document)) {
      for (const reference of ["for", "form", "aria-labelledby", "aria-describedby"]) {
        const id = attribute(element, reference);
        if (id !== undefined) assert(findById(document, id), `${reference}=${id}`);
      }
    }
  });

  test(`pages: ${name} runs the script for forms only, and loads and links nothing foreign`, () => {
    const scripts = findAll(document, "script");
    const own = name.startsWith("chooser") ? ["/assets/1/form.js"] : [];
    assertEquals(
      scripts.map((script) => [attribute(script, "src"), textOf(script)]),
      own.map((src) => [src, ""]),
    );
    for (const element of everyElement(document)) {
      assertFalse(["style", "iframe"].includes(element.name), element.name);
      for (const attributeName of element.attributes.keys()) assertFalse(/^(on|style$)/.test(attributeName));
      for (const link of ["src", "href", "action"]) {
        const url = attribute(element, link);
        if (url !== undefined) assertMatch(url, /^(\/(?!\/)|#)/);
      }
    }
  });
}

test("chooser: shows the client and the host that gets the answer", () => {
  const document = readHtml(all.get("chooser")!);
  assertStringIncludes(textOf(byId(document, "main")), "Demo app would like to know who you are.");
  assertEquals(textOf(byId(document, "destination")), "The answer will go to app.example:8443.");
  assertFalse(findById(document, "unverified"));
  assert(findById(readHtml(all.get("chooser for an unverified client")!), "unverified"));
});

test("chooser: each button sends the request and its choice", () => {
  const document = readHtml(all.get("chooser")!);
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
  const document = readHtml(all.get("sign-out")!);
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
  assertEquals(textOf(byId(readHtml(all.get("sign-out")!), "sign-out")), "Sign out all");
  const one = readHtml(all.get("sign-out of one")!);
  assertEquals(textOf(byId(one, "sign-out")), "Sign out");
  assertEquals(attribute(byId(one, "sign-out"), "aria-describedby"), "sign-out-note");
  assertMatch(textOf(byId(one, "sign-out-note")), /^Applications can .* allowed to keep its access/);
});

test("sign-out: without a client, the page names none", () => {
  const { client: _, ...rest } = signOut;
  assertFalse(/asks whether/.test(pages.signOut(rest)));
});

test("signed out: each outcome has its own text and a link home, and claims no more than is known", () => {
  const headings: Record<string, string> = {
    signed_out: "Signed out",
    not_signed_in: "Signed out",
    stayed: "Still signed in",
  };
  const texts = new Set<string>();
  for (const outcome of ["signed_out", "not_signed_in", "stayed"] as const) {
    const document = readHtml(all.get(outcome)!);
    assertEquals(textOf(findAll(document, "h1")[0]!), headings[outcome]);
    assertEquals(attribute(byId(document, "home"), "href"), "/x/");
    texts.add(textOf(byId(document, "outcome")));
    assertEquals(findAll(document, "form"), []);
  }
  assertEquals(texts.size, 3);
  // Other people may still be signed in, because a hint signs out one of several.
  assertFalse(/nobody/i.test(textOf(byId(readHtml(all.get("signed_out")!), "outcome"))));
});

test("home: shows the signed-in people beside the sign-out link, and neither without a session", () => {
  assertFalse(findById(readHtml(pages.home(home)), "signed-in"));
  const signedIn = { people: [alice, carol], signOutUrl: "/p/connect/logout" };
  const document = readHtml(pages.home({ ...home, signedIn }));
  assertMatch(textOf(byId(document, "signed-in")), /Alice Archer, carol Sign out$/);
  assertEquals(attribute(byId(document, "sign-out"), "href"), "/p/connect/logout");
});

test("pages: names that look like markup stay text and add no element", () => {
  const evil = `"><svg onload=alert(1)></title><script>'\`{{x}}`;
  const person = { username: evil, name: evil, email: evil, hasPassword: false };
  const client = { id: evil, name: evil, isUnverified: false };
  const tame = { username: "x", name: "x", email: "x", hasPassword: false };
  const pairs = [
    [
      pages.accounts({ ...accounts, client, people: [person] }),
      pages.accounts({ ...accounts, people: [tame] }),
    ],
    [pages.signOut({ ...signOut, client, people: [person] }), pages.signOut({ ...signOut, people: [tame] })],
    [
      pages.home({ ...home, signedIn: { people: [person], signOutUrl: "/" } }),
      pages.home({ ...home, signedIn: { people: [tame], signOutUrl: "/" } }),
    ],
  ] as const;
  for (const [hostile, harmless] of pairs) {
    assertEquals(skeletonOf(readHtml(hostile)), skeletonOf(readHtml(harmless)));
    assertStringIncludes(textOf(readHtml(hostile)), evil);
  }
});
