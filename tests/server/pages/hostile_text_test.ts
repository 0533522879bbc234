/** What pages show of hostile texts: the characters themselves, hidden ones made visible, and no links. */
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import {
  accounts,
  confidentialSuccess,
  consent,
  failure,
  foreignSuccess,
  formPost,
  home,
  homeConfiguration,
  ofSecondFactor,
  pages,
  refusal,
  refusedWalk,
  secondFactor,
  signIn,
  signOut,
  success,
  walk,
} from "./examples.ts";
import { attribute, byId, findAll, readHtml, textOf } from "./read_html.ts";

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

/** Shows a page whose props are changed. */
type Drawing = (change: <Props>(props: Props) => Props) => string;

const foreignIssuer = "https://other.example";

const rows = [{
  name: "a",
  heading: "a",
  lines: ["a", { value: "1", title: "a", text: { en: "a" } }, { value: "2", title: { en: "a" }, text: "a" }],
}];

const responseJwt = {
  ...{ isEncrypted: false, text: "a", jwt: { header: "{}", payload: "{}" } },
  ...{ checks: [], isRefused: false, now: 0 },
} as const;

const resource = {
  ...{ metadataUrl: "https://as.test/metadata", call: [], needsProof: false, homeUrl: "/" },
  trial: { action: "/", people: signIn.people },
};

const drawings: readonly Drawing[] = [
  (change) => pages.signIn(change(signIn)),
  (change) => pages.consent(change({ ...consent, rows })),
  (change) => pages.accounts(change(accounts)),
  (change) => pages.signOut(change(signOut)),
  (change) => pages.ofFeature(ofSecondFactor(change(secondFactor))),
  (change) => pages.callback(change({ ...failure, foreignIssuer })),
  (change) => pages.callback(change({ ...failure, responseIssuer: "a", responseJwt })),
  (change) => pages.callback(change({ ...foreignSuccess, foreignIssuer })),
  (change) => pages.callback(change(confidentialSuccess)),
  (change) => pages.refusal(change(refusal)),
  (change) => pages.refusal(change({ ...refusal, instead: "a", clients: homeConfiguration.clients })),
  (change) =>
    pages.refusal(change({ status: 400, error: "unauthorized_client", description: "a", homeUrl: "/" })),
  (change) => pages.refusal(change({ status: 405, description: "a", received: "GET", homeUrl: "/" })),
  (change) => pages.resource(change(resource)),
  (change) => pages.home(change(home)),
  (change) => pages.walk(change(walk)),
  (change) => pages.walk(change(refusedWalk)),
];

/** The places in the props of texts of others, which nothing before the page limits to visible characters. */
const foreignTexts = [
  ...["client.name", "person.name", "people.*.name", "code", "state", "codeVerifier"],
  ...["error", "errorDescription", "foreignIssuer", "tokens.*.text", "tokens.*.audience.*"],
  ...["description", "spec", "expected", "received", "wouldHaveGoneTo", "change"],
  ...["username", "name", "email"].map((name) => `configuration.people.*.${name}`),
  ...["responseIssuer", "responseJwt.text", "instead", "clients.*.start.endsAt", "trial.people.*.name"],
  ...["heading", "lines.*", "lines.*.title", "lines.*.text", "lines.*.title.en", "lines.*.text.en"].map((
    name,
  ) => `rows.*.${name}`),
  ...["redirectUris.*", "demoSecret"].map((name) => `configuration.clients.*.${name}`),
  ...["call", "keys", "proofs.*"].flatMap((call) =>
    ["request.headers.*.1", "request.form.*.1", "response.headers.*.1", "response.body"].map((part) =>
      `steps.*.${call}.${part}`
    )
  ),
  ...["expected", "received"].map((name) => `steps.*.decoded.*.checks.*.${name}`),
];

/** Changes the text at a place, in which `*` is any index. */
function changeAt<Value>(value: Value, [name, ...rest]: readonly string[], text: string): Value {
  if (name === undefined) return (typeof value === "string" ? text : value) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) =>
    [key, key === name || name === "*" ? changeAt(each, rest, text) : each] as const
  );
  return (Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)) as Value;
}

for (const place of foreignTexts) {
  test(`pages: hidden characters of ${place} are visible, in a short text and a long one`, () => {
    for (const text of ["a\u202eb", `a\u202eb${"c".repeat(90)}`]) {
      const shown = drawings.map((draw) =>
        textOf(readHtml(draw((props) => changeAt(props, place.split("."), text))))
      );
      assertFalse(shown.some((each) => each.includes("\u202e")));
      assert(shown.some((each) => each.includes("a\\u{202E}b")));
    }
  });
}

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
