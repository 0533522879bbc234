/** Markup stays text in every prop of every page. */
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { test } from "../runner.ts";
import {
  confidentialSuccess,
  consent,
  failure,
  foreignSuccess,
  formPost,
  home,
  pages,
  type PagesInLanguage,
  refusal,
  signIn,
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

function draw(name: Draw, props: unknown): string {
  return (pages[name] as (props: unknown) => string)(props);
}

for (const [at, [name, props]] of cases.entries()) {
  test(`HTML-01 A85 pages: ${name} ${at} has the same elements for every text`, () => {
    const expected = skeletonOf(readHtml(draw(name, fill(props, "harmless"))));
    for (const text of hostile) {
      // An app's scheme is emphasised with one more, harmless element.
      const redirects = text.startsWith("javascript:") ? { redirectUri: "harmless", action: "harmless" } : {};
      const html = draw(name, { ...fill(props, text) as object, ...redirects });
      const document = readHtml(html);
      assertEquals(skeletonOf(document), expected, text);
      assertFalse(html.includes("<svg onload"), text);
      for (const element of everyElement(document)) {
        for (const attributeName of element.attributes.keys()) assertFalse(/^on/i.test(attributeName));
      }
    }
  });
}

test("HTML-01 A85 callback: the page shows values unchanged", () => {
  for (const text of hostile) {
    const document = readHtml(pages.callback({ ...success, code: text, state: text }));
    assertEquals(textOf(byId(document, "code")), text);
    assertEquals(textOf(byId(document, "state")), text);
    const failed = readHtml(pages.callback({ ...failure, error: text, errorDescription: text }));
    assertEquals(textOf(byId(failed, "error")), text);
    assertEquals(textOf(byId(failed, "error-description")), text);
  }
});

test("A86 pages: no address from a request becomes a link", () => {
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

test("HTML-01 refusal: invisible characters of a received text are shown", () => {
  const document = readHtml(pages.refusal({ ...refusal, received: "a\u202eb\u0000c\u200bd\ne\u{e0041}" }));
  assertEquals(textOf(byId(document, "received")), "a\\u{202E}b\\u{0}c\\u{200B}d\\u{A}e\\u{E0041}");
});

test("HTML-01 refusal: a long text is in a box that a keyboard can scroll", () => {
  const received = byId(readHtml(pages.refusal({ ...refusal, received: "x".repeat(9000) })), "received");
  assertEquals(attribute(received, "tabindex"), "0");
  assert(attribute(received, "aria-label"));
  assertEquals(textOf(received).length, 9000);
});

test("HTML-01 consent: a scope with the name of a JavaScript member is shown like any other", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const scopes = byId(readHtml(pages.consent({ ...consent, scopes: [{ name }] })), "scopes");
    assertEquals(textOf(scopes), `Use the scope ${name}`);
  }
});

test("HTML-02 consent: a client's name is isolated from the sentence around it", () => {
  const client = { id: "x", name: "Good \u202e<b>app</b>", isUnverified: false };
  const heading = findAll(readHtml(pages.consent({ ...consent, client })), "h1")[0]!;
  assertEquals(textOf(heading), `Allow ${client.name}?`);
  assertEquals(findAll(heading, "bdi").map(textOf), [client.name]);
});
