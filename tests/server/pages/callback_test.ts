/** `/authorized`, as the specification describes it. */
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import type { SecretNeed } from "../../../src/server/oauth/contracts/pages.ts";
import { test } from "../../runner.ts";
import { confidentialSuccess, foreignSuccess, pages, success } from "./examples.ts";
import { attribute, byId, type Element, findAll, findById, readHtml, textOf } from "./read_html.ts";

type Props = Parameters<typeof pages.callback>[0];

function show(props: Props): Element {
  return readHtml(pages.callback(props));
}

function headings(document: Element): string[] {
  return findAll(document, "h1").map(textOf);
}

/** The links with this text on the whole page, with its header. */
function linksTo(document: Element, words: string): (string | undefined)[] {
  return findAll(document, "a").filter((link) => textOf(link) === words).map((link) =>
    attribute(link, "href")
  );
}

test("callback: a success shows the code, the state, the token endpoint and both links", () => {
  const document = show(success);
  assertEquals(headings(document), ["Authorization Successful!"]);
  assertEquals(textOf(byId(document, "code")), success.code);
  assertEquals(textOf(byId(document, "state")), "some-state");
  assertEquals(textOf(byId(document, "token-endpoint")), "http://localhost:9000/oauth2/token");
  assertEquals(textOf(byId(document, "redirect-uri")), "http://localhost:9000/authorized");
  assertEquals(textOf(byId(document, "code-verifier")), success.codeVerifier);
  assertEquals(linksTo(document, "Back to Home"), ["/"]);
  assertEquals(linksTo(document, "Start New Authorization"), ["/oauth2/authorize?client_id=demo"]);
  assertFalse(findById(document, "error"));
});

test("callback: the page has the sheets of its parts, and that of tokens with a response as a JWT", () => {
  const sheets = (props: Props) =>
    [...pages.callback(props).matchAll(/<link rel="stylesheet" href="[^"]*\/([\w.]+)"/g)].map(([, name]) =>
      name
    );
  const jwt = { header: "{}", payload: "{}" };
  const responseJwt = {
    isEncrypted: false,
    text: "e30.e30.",
    jwt,
    checks: [],
    now: 0,
    isRefused: false,
  } as const;
  assertEquals(sheets(success), ["postern.css", "parts.css", "sheet.css"]);
  assertEquals(sheets({ ...success, responseJwt }), ["postern.css", "parts.css", "token.css", "sheet.css"]);
});

test("callback: the page names who asked, who signed in and what for, as far as it knows", () => {
  const known = { ...success, person: { username: "alice", hasPassword: false }, scope: ["openid", "read"] };
  const rows: readonly (readonly [Props, ...texts: readonly (string | undefined)[]])[] = [
    [success, undefined, undefined, undefined],
    [{ ...known, client: { id: "demo", isUnverified: false } }, "demo", "alice", "openid read"],
    [
      { ...known, client: { id: "demo", name: "Demo app", isUnverified: false } },
      "Demo app demo",
      "alice",
      "openid read",
    ],
  ];
  for (const [props, ...texts] of rows) {
    const document = show(props);
    const shown = ["client", "person", "scope"].map((id) => findById(document, id));
    assertEquals(shown.map((each) => each && textOf(each).trim()), texts);
  }
});

test("callback: an expired, used or unknown code has neither the sentence nor the open gate of a valid one", () => {
  const isOpen = (document: Element) =>
    findAll(document, "path").some((path) => attribute(path, "class") === "lit");
  const valid = show(success);
  assertEquals([textOf(valid).includes("The client has an authorization code"), isOpen(valid)], [true, true]);
  const faults: readonly (readonly [Props, RegExp])[] = [
    [{ ...success, now: success.codeExpiresAt! }, /got an authorization code, which has expired since/],
    [{ ...success, codeUsed: true }, /has been sent to the token endpoint/],
    [{ ...foreignSuccess, codeUnknown: true }, /holds a code that the server does not know/],
  ];
  for (const [props, lead] of faults) {
    const document = show(props);
    assertEquals(headings(document), ["Authorization Successful!"]);
    assertEquals([textOf(document).includes("The client has an authorization code"), isOpen(document)], [
      false,
      false,
    ]);
    assertMatch(textOf(document), lead);
  }
});

test("callback: the notes: single use, quick expiry, identical redirect_uri, mandatory code_verifier", () => {
  const notes = findAll(byId(show(success), "notes"), "li").map(textOf);
  assertEquals(notes.length, 4);
  assertMatch(notes[0]!, /single-use/);
  assertMatch(notes[1]!, /expires quickly, typically 5 to 10 minutes after/);
  assertMatch(notes[2]!, /redirect_uri must be identical to the one in the authorization request/);
  assertMatch(notes[3]!, /Public clients must send the code_verifier/);
});

test("callback: the next steps are numbered: copy the code, use the verifier, post to the token endpoint", () => {
  const steps = byId(show(success), "steps");
  assertEquals(steps.name, "ol");
  const [first, second, third, ...more] = findAll(steps, "li").map(textOf);
  assertMatch(first!, /^Copy the authorization code/);
  assertStringIncludes(first!, success.code);
  assertMatch(second!, /^Use the PKCE code verifier/);
  assertStringIncludes(second!, success.codeVerifier!);
  assertMatch(third!, /^POST .* token endpoint http:\/\/localhost:9000\/oauth2\/token/);
  assertEquals(more, []);
});

test("callback: the steps, both requests and the notes stand open, and only the exchange is a strong button", () => {
  const exchange = { action: "/a", ticket: "t", clientId: "demo", beganHere: true, needsVerifier: false };
  const document = show({ ...success, exchange: { ...exchange, secret: "not_needed" } });
  assertEquals(findAll(document, "details"), []);
  for (const id of ["steps", "example-public", "example-confidential", "notes"]) {
    byId(document, id);
  }
  const strong = [...findAll(document, "a"), ...findAll(document, "button")]
    .filter((each) => attribute(each, "class") === "button primary");
  assertEquals(strong.map(textOf), ["Exchange the code"]);
});

test("callback: a client that the server does not know may have a secret, and one that needs it has one", () => {
  const exchange = { action: "/a", ticket: "t", clientId: "demo", beganHere: true, needsVerifier: false };
  const about = (secret: SecretNeed) => {
    const part = findById(show({ ...success, exchange: { ...exchange, secret } }), "secret-about");
    return part && textOf(part);
  };
  const note = "The secret goes into this request only. It is not stored, and no page shows it.";
  assertEquals(about("needed"), note);
  assertEquals(about("perhaps"), `Only if the client has one. ${note}`);
  assertEquals(about("not_needed"), undefined);
});

test("callback: the page says when the code ends, as a time and as time left", () => {
  const life = byId(show(success), "code-life");
  assertEquals(textOf(life), "The code expires at 10:15:30 UTC, in about 5 minutes.");
  const [time] = findAll(life, "time");
  assertEquals(attribute(time!, "datetime"), "2026-05-04T10:15:30.000Z");
});

test("callback: the time left is rounded", () => {
  const words = (seconds: number) =>
    /, (in [^.]*)\./.exec(
      textOf(byId(show({ ...success, now: success.codeExpiresAt! - seconds }), "code-life")),
    )
      ?.[1];
  assertEquals(words(600), "in about 10 minutes");
  assertEquals(words(300), "in about 5 minutes");
  assertEquals(words(89), "in about a minute");
  assertEquals(words(44), "in less than a minute");
});

test("callback: without a known end, the page shows none", () => {
  assertFalse(findById(show(foreignSuccess), "code-life"));
});

test("callback: the page offers no step with a code of another issuer (RFC 9207 §2.4)", () => {
  const document = show({ ...success, foreignIssuer: "https://other.example" });
  assertEquals(findAll(document, "h1").map(textOf), ["A code from another issuer"]);
  assertEquals(textOf(byId(document, "code")), success.code);
  for (const id of ["exchange-form", "by-hand", "token-endpoint", "code-life"]) {
    assertFalse(findById(document, id), id);
  }
  assertEquals(attribute(byId(document, "start"), "class"), "button primary");
});

/** The ids and headings of the two example requests, in the page's order. */
function examples(document: Element): (readonly [id: string | undefined, heading: string])[] {
  return findAll(document, "article").map((example) => [
    findAll(example, "pre").map((pre) => attribute(pre, "id"))[0],
    findAll(example, "h3").map(textOf).join(),
  ]);
}

test("callback: for a public client its request comes first, and the other one is marked", () => {
  const document = show(success);
  assertEquals(examples(document), [
    ["example-public", "Public client Yours"],
    ["example-confidential", "Confidential client Other kind"],
  ]);
  assertMatch(
    textOf(byId(document, "example-public")),
    /^curl --request POST 'http:\/\/localhost:9000\/oauth2\/token'[^]* 'client_id=demo'$/,
  );
  const other = textOf(byId(document, "example-confidential"));
  assertStringIncludes(other, "--user '<CLIENT_ID>:<CLIENT_SECRET>'");
  assertStringIncludes(other, success.code);
  assertFalse(other.includes("demo"));
  assertStringIncludes(textOf(document), "Authorization: Basic <base64(client_id:client_secret)>");
});

test("callback: for a confidential client its request comes first, with its credentials", () => {
  const document = show(confidentialSuccess);
  assertEquals(examples(document), [
    ["example-confidential", "Confidential client Yours"],
    ["example-public", "Public client Other kind"],
  ]);
  assertEquals(
    textOf(byId(document, "example-confidential")),
    String.raw`curl --request POST 'http://localhost:9000/oauth2/token' \
  --user 'demo-confidential:demo-secret' \
  --header 'Content-Type: application/x-www-form-urlencoded' \
  --data-urlencode 'grant_type=authorization_code' \
  --data-urlencode 'code=grant.secret-code' \
  --data-urlencode 'redirect_uri=http://localhost:9000/authorized' \
  --data-urlencode 'code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'`,
  );
  assertEquals(
    textOf(byId(document, "basic-header")),
    `Authorization: Basic ${btoa("demo-confidential:demo-secret")}`,
  );
  const other = textOf(byId(document, "example-public"));
  assertStringIncludes(other, "client_id=<CLIENT_ID>");
  assertFalse(other.includes("demo"));
});

test("callback: for client_secret_post the example has the secret in the body", () => {
  const document = show({ ...confidentialSuccess, authentication: "client_secret_post" });
  const command = textOf(byId(document, "example-confidential"));
  assertStringIncludes(command, "--data-urlencode 'client_id=demo-confidential'");
  assertStringIncludes(command, "--data-urlencode 'client_secret=demo-secret'");
  assertFalse(command.includes("--user"));
  assertEquals(examples(document)[0], ["example-confidential", "Confidential client Yours"]);
});

test("callback: for private_key_jwt the example has a placeholder for the assertion", () => {
  const { demoSecret: _, ...signing } = confidentialSuccess;
  const command = textOf(
    byId(show({ ...signing, authentication: "private_key_jwt" }), "example-confidential"),
  );
  assertStringIncludes(command, "client_assertion=<CLIENT_ASSERTION>");
  assertStringIncludes(command, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
});

test("callback: an authentication method without an example is named", () => {
  const document = show({ ...success, authentication: "tls_client_auth" });
  assertEquals(examples(document).map(([, heading]) => heading), ["Public client", "Confidential client"]);
  assertMatch(textOf(document), /authenticates by tls_client_auth, which neither request shows/);
});

test("callback: unknown values are visible placeholders", () => {
  const document = show(foreignSuccess);
  assertEquals(examples(document).map(([, heading]) => heading), ["Public client", "Confidential client"]);
  const open = byId(document, "example-public"), secret = byId(document, "example-confidential");
  assertEquals(findAll(open, "mark").map(textOf), ["<CODE_VERIFIER>", "<CLIENT_ID>"]);
  assertEquals(findAll(secret, "mark").map(textOf), ["<CLIENT_ID>", "<CLIENT_SECRET>", "<CODE_VERIFIER>"]);
  for (const example of [open, secret]) {
    assertStringIncludes(textOf(example), "code=a-code");
    assertStringIncludes(textOf(example), "redirect_uri=https://app.example/authorized");
  }
  assert(textOf(document).includes("Only the client that made it knows it"));
});
