/** Markup stays text in every prop of every page. */
import type { PagesInLanguage } from "../../src/pages/mod.ts";
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { test } from "../runner.ts";
import {
  accounts,
  confidentialSuccess,
  consent,
  failure,
  foreignSuccess,
  formPost,
  home,
  pages,
  refusal,
  signIn,
  signOut,
  success,
} from "./examples.ts";
import { attribute, byId, everyElement, findAll, readHtml, skeletonOf, textOf } from "./read_html.ts";

const hostile = [
  `"><svg onload=alert(1)>`,
  `</title><script>alert(1)</script>`,
  `';//`,
  "`${alert(1)}`",
  "{{constructor.constructor('alert(1)')()}}",
  `it's $HOME "x" \`id\` & <> &lt; &#x22;`,
  `</code></pre><img src=x onerror=alert(1)>`,
  `javascript:alert(1)//"' onfocus=alert(1) autofocus=`,
  `\u202e\u0000\u001b[31m<!--`,
];

type Draw = keyof PagesInLanguage;
const cases: readonly (readonly [draw: Draw, props: object])[] = [
  ["home", home],
  ["home", { ...home, signedIn: { people: signOut.people, signOutUrl: "/connect/logout" } }],
  ["accounts", accounts],
  ["signOut", signOut],
  ["signIn", signIn],
  ["signIn", { ...signIn, username: "x", problem: { kind: "unknown_person" } }],
  ["consent", consent],
  ["consent", { ...consent, client: { id: "x", isUnverified: true } }],
  ["callback", { ...failure, foreignIssuer: "x" }],
  ["callback", { ...success, foreignIssuer: "x" }],
  ["callback", confidentialSuccess],
  ["callback", { ...success, authentication: "tls_client_auth" }],
  ["callback", foreignSuccess],
  ["refusal", refusal],
  ["formPost", formPost],
];

/** Props that select a page's texts, so other values would make another page. */
const selectors = new Set(["authentication", "kind"]);

/** The same props with every text replaced. */
function fill(props: unknown, text: string, key = ""): unknown {
  if (typeof props === "string") return selectors.has(key) ? props : text;
  if (Array.isArray(props)) return props.map((each) => fill(each, text));
  if (typeof props !== "object" || props === null) return props;
  return Object.fromEntries(Object.entries(props).map(([name, value]) => [name, fill(value, text, name)]));
}

/** The elements of a page. A value with hidden characters stands in one attribute more, for its copy button. */
function elementsOf(html: string): string {
  return skeletonOf(readHtml(html)).replaceAll(" data-value]", "]");
}

function draw(name: Draw, props: unknown): string {
  return (pages[name] as (props: unknown) => string)(props);
}

for (const [at, [name, props]] of cases.entries()) {
  test(`pages: ${name} ${at} has the same elements for every text`, () => {
    const expected = elementsOf(draw(name, fill(props, "harmless")));
    for (const text of hostile) {
      // An app's scheme is emphasised with one more, harmless element.
      const redirects = text.startsWith("javascript:") ? { redirectUri: "harmless", action: "harmless" } : {};
      const html = draw(name, { ...fill(props, text) as object, ...redirects });
      assertEquals(elementsOf(html), expected, text);
      assertFalse(html.includes("<svg onload"), text);
      for (const element of everyElement(readHtml(html))) {
        for (const attributeName of element.attributes.keys()) assertFalse(/^on/i.test(attributeName));
      }
    }
  });
}

test("callback: the page shows values unchanged, but hidden characters are visible", () => {
  for (const text of [...hostile, "\u202egpj.\u2066\ufeff", "a\tb\u200cc\u00ad\u2028"]) {
    const shown = text.replace(
      /[\p{Cc}\p{Cf}\u2028]/gu,
      (each) => `\\u{${each.codePointAt(0)!.toString(16).toUpperCase()}}`,
    );
    const document = readHtml(pages.callback({ ...success, code: text, state: text }));
    const failed = readHtml(pages.callback({ ...failure, error: text, errorDescription: text, state: text }));
    for (const id of ["code", "state"]) {
      assertEquals(textOf(byId(document, id)), shown);
      assertEquals(attribute(byId(document, id), "data-value"), shown === text ? undefined : text);
    }
    for (const id of ["error", "error-description", "returned-state"]) {
      assertEquals(textOf(byId(failed, id)), shown);
    }
  }
});

test("pages: no address from a request becomes a link", () => {
  const elsewhere = "https://elsewhere.example/";
  const drawn = [
    pages.callback({ ...success, redirectUri: elsewhere, code: elsewhere, foreignIssuer: elsewhere }),
    pages.signIn({ ...signIn, redirectUri: elsewhere, client: { id: elsewhere, isUnverified: false } }),
    pages.consent({ ...consent, redirectUri: elsewhere, client: { id: elsewhere, isUnverified: false } }),
    pages.refusal({ ...refusal, received: elsewhere, wouldHaveGoneTo: elsewhere }),
    pages.formPost({ ...formPost, action: elsewhere }),
  ];
  for (const html of drawn) {
    assertStringIncludes(html, "elsewhere.example");
    for (const link of findAll(readHtml(html), "a")) {
      assertFalse(attribute(link, "href")?.includes("elsewhere.example"));
    }
  }
});

test("refusal: invisible characters of a received text are shown", () => {
  const document = readHtml(pages.refusal({ ...refusal, received: "a\u202eb\u0000c\u200bd\ne\u{e0041}" }));
  assertEquals(textOf(byId(document, "received")), "a\\u{202E}b\\u{0}c\\u{200B}d\\u{A}e\\u{E0041}");
});

test("refusal: a long text is in a box that a keyboard can scroll", () => {
  const received = byId(readHtml(pages.refusal({ ...refusal, received: "x".repeat(9000) })), "received");
  assertEquals(attribute(received, "tabindex"), "0");
  assert(attribute(received, "aria-label"));
  assertEquals(textOf(received).length, 9000);
});

test("consent: a scope with the name of a JavaScript member is shown like any other", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const scopes = byId(readHtml(pages.consent({ ...consent, scopes: [{ name }] })), "scopes");
    assertEquals(textOf(scopes), `Use the scope ${name}`);
  }
});

test("consent: title and heading show the same name, with the joiners of its language", () => {
  const names = {
    "Good \u202eapp": "Good \\u{202E}app",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u{1f469}\u200d\u{1f4bb} notes": "\u{1f469}\u200d\u{1f4bb} notes",
    "Pay\u200c Pal\u200d": "Pay\\u{200C} Pal\\u{200D}",
    [`${"long ".repeat(20)}`]: `${"long ".repeat(12).trimEnd()}\u2026`,
  };
  for (const [name, shown] of Object.entries(names)) {
    const page = readHtml(pages.consent({ ...consent, client: { id: "x", name, isUnverified: false } }));
    assertEquals(textOf(findAll(page, "h1")[0]!), `Allow ${shown}?`);
    assert(textOf(findAll(page, "title")[0]!).includes(shown), name);
  }
});

test("consent: a client's name is isolated from the sentence around it", () => {
  const client = { id: "x", name: "Good \u202e<b>app</b>", isUnverified: false };
  const heading = findAll(readHtml(pages.consent({ ...consent, client })), "h1")[0]!;
  const shown = "Good \\u{202E}<b>app</b>";
  assertEquals(textOf(heading), `Allow ${shown}?`);
  assertEquals(findAll(heading, "bdi").map(textOf), [shown]);
});
