/** Home, sign-in, consent, form post and refusal pages. */
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import { findHidden, hostileLines } from "../../security/terminal_text.ts";
import {
  consent,
  formPost,
  home,
  homeConfiguration,
  ofSecondFactor,
  pages,
  refusal,
  secondFactor,
  signIn,
} from "./examples.ts";
import { attribute, byId, type Element, findAll, findById, readHtml, sentBy, textOf } from "./read_html.ts";

function actionsOf(document: Element): Set<string | undefined> {
  return new Set(findAll(document, "form").map((form) => attribute(form, "action")));
}

/** Returns the cells of each row of a table. */
function rowsOf(table: Element): readonly (readonly string[])[] {
  return findAll(findAll(table, "tbody")[0]!, "tr").map((row) => findAll(row, "td").map(textOf));
}

test("home: has a row for each client, with its id, kind, redirect URI and a demo secret", () => {
  const document = readHtml(pages.home(home));
  const [plain, demo, confidential, newcomer] = rowsOf(byId(document, "clients"));
  assertEquals(rowsOf(byId(document, "clients")).length, 4);
  const copies = (text: string, what: string) => `${text}Copy ${what}`;
  assertEquals(demo!.slice(1, 3), [copies("demo", "the id of Demo app"), "Public (PKCE)"]);
  assertEquals(
    confidential![2],
    `Confidential: secret, by HTTP Basic ${copies("demo-secret", "the secret of Confidential demo app")}`,
  );
  assertEquals(confidential![3], "http://localhost:9000/authorized");
  assertEquals(plain![3], "http://127.0.0.1:4000/cb and 1 more");
  assertStringIncludes(newcomer![0]!, "First use");
});

test("home: without the configuration it says why", () => {
  const { configuration: _, ...bare } = home;
  const document = readHtml(pages.home(bare));
  assertMatch(textOf(byId(document, "hidden")), /^Clients and people are not listed here/);
  for (const id of ["first-use", "automatic", "clients", "people"]) assertFalse(findById(document, id), id);
});

test("home: a start link whose flow ends at the client says where it ends", () => {
  const [plain] = homeConfiguration.clients;
  const document = readHtml(
    pages.home({ ...home, configuration: { ...homeConfiguration, clients: [plain!] } }),
  );
  assertEquals(attribute(byId(document, "start"), "href"), "/start?client_id=plain");
  assertStringIncludes(textOf(document), "go on to http://127.0.0.1:4000/cb with a code");
});

test("sign-in: shows the client and the host that gets the answer", () => {
  const document = readHtml(pages.signIn(signIn));
  assertStringIncludes(textOf(byId(document, "main")), "Demo app would like to know who you are.");
  assertEquals(textOf(byId(document, "destination")), "The answer will go to app.example:8443.");
  assertFalse(findById(document, "unverified"));
});

test("sign-in: shows the host as the browser reads it", () => {
  const shown = (redirectUri: string) =>
    textOf(byId(readHtml(pages.signIn({ ...signIn, redirectUri })), "destination"));
  assertEquals(shown("https://good.example@evil.example/"), "The answer will go to evil.example.");
  assertEquals(shown("https://еvil.example/"), "The answer will go to xn--vil-qdd.example.");
  for (const host of ["127.0.0.1:8080", "127.9.10.255", "app.localhost:8080", "localhost", "[::1]:8080"]) {
    assertEquals(shown(`http://${host}/cb`), `The answer will go to ${host}, on this computer.`);
  }
  const elsewhere = [
    "localhost.evil.example",
    "evillocalhost",
    "127.0.0.1.evil.example",
    "128.0.0.1",
    "[::2]",
  ];
  for (const host of elsewhere) assertEquals(shown(`http://${host}/cb`), `The answer will go to ${host}.`);
  assertEquals(
    shown("com.example.app:/cb"),
    "The answer will go to the app on this device that opens com.example.app: links.",
  );
});

test("sign-in: a person's button sends the request and the person", () => {
  const document = readHtml(pages.signIn(signIn));
  const buttons = findAll(document, "button").filter((button) => attribute(button, "name") === "person");
  assertEquals(buttons.map((button) => sentBy(document, button)), [
    [["request", "sealed.request"], ["person", "alice"]],
    [["request", "sealed.request"], ["person", "bob"]],
  ]);
  assertEquals(actionsOf(document), new Set(["/oauth2/sign_in"]));
});

test("second factor: a wrong code leads to the current one, unless no app has it, because the clock is turned", () => {
  const problemOf = (clockAhead?: number, kind: "totp" | "code" = "totp") => {
    const props = { ...secondFactor, ...(clockAhead === undefined ? {} : { clockAhead }) };
    const page = ofSecondFactor({ ...props, kind, problem: { kind: "wrong_code" } });
    return textOf(byId(readHtml(pages.ofFeature(page)), "problem"));
  };
  assertEquals(
    [problemOf(7200), problemOf(-90)],
    Array(2).fill("That is not a code by the clock of this server."),
  );
  for (const text of [problemOf(), problemOf(7200, "code")]) assertMatch(text, /try the current one/);
});

test("sign-in: who may sign up has a link, and is not told that passwords are in the configuration", () => {
  const told = { ...signIn, listsPeople: true } as const;
  const link = readHtml(pages.signIn({ ...told, signUpUrl: "/authorize?continue=x" }));
  assertEquals(attribute(byId(link, "create-account"), "href"), "/authorize?continue=x");
  assertEquals(findById(link, "password-note"), undefined);
  const other = readHtml(pages.signIn(told));
  assertEquals(findById(other, "create-account"), undefined);
  assertMatch(textOf(byId(other, "password-note")), /^Passwords are part of the people/);
});

test("sign-in: a password form that password managers understand", () => {
  const document = readHtml(pages.signIn({ ...signIn, username: "carol" }));
  const username = byId(document, "username"), password = byId(document, "password");
  assertEquals(attribute(username, "autocomplete"), "username");
  assertEquals(attribute(password, "autocomplete"), "current-password");
  assertEquals(attribute(password, "type"), "password");
  assertEquals(sentBy(document, byId(document, "sign-in")), [
    ["request", "sealed.request"],
    ["username", "carol"],
    ["password", ""],
  ]);
  assert(password.attributes.has("autofocus"));
  for (const label of findAll(document, "label")) assert(findById(document, attribute(label, "for")!));
});

test("home: the one primary button begins a login", () => {
  const shown = findAll(readHtml(pages.home(home)), "a").filter(isPrimary);
  assertEquals(shown.map((each) => attribute(each, "id")), ["start"]);
});

test("sign-in: one button is primary, and it is the next step", () => {
  const [clicks, asked] = [false, true].map((hasPassword) =>
    [1, 2].map((at) => ({ username: `user-${hasPassword}-${at}`, hasPassword }))
  );
  const many = Array.from({ length: 9 }, (_, at) => ({ username: `user-${at}`, hasPassword: false }));
  const [first, second] = clicks!.map(({ username }) => username);
  const both = [...asked!, ...clicks!];
  const wrong = { kind: "wrong_password" } as const;
  const states = [
    [{ people: both }, first],
    [{ people: both, username: second! }, second],
    [{ people: both, username: asked![0]!.username }, "sign-in"],
    [{ people: both, username: first!, problem: wrong }, "sign-in"],
    [{ people: asked! }, "sign-in"],
    [{ people: many }, "find"],
    [{ people: many, username: "user-3" }, "user-3"],
  ] as const;
  for (const [state, expected] of states) {
    const primary = findAll(readHtml(pages.signIn({ ...signIn, ...state })), "button").filter(isPrimary);
    const names = primary.map((each) => attribute(each, "value") ?? attribute(each, "id"));
    assertEquals(names, [expected], JSON.stringify(state));
  }
});

function isPrimary(element: Element): boolean {
  return attribute(element, "class")?.split(" ").includes("primary") === true;
}

test("sign-in: no password form when the listed people have no passwords", () => {
  const people = signIn.people.filter((person) => !person.hasPassword);
  assertFalse(findById(readHtml(pages.signIn({ ...signIn, people })), "password"));
  assert(findById(readHtml(pages.signIn({ ...signIn, people: [] })), "password"));
});

test("sign-in: a hinted person comes first and has the focus", () => {
  const buttons = findAll(readHtml(pages.signIn({ ...signIn, username: "bob" })), "button");
  assertEquals(attribute(buttons[0]!, "value"), "bob");
  assert(buttons[0]!.attributes.has("autofocus"));
});

test("sign-in: Deny sends a denial without any field filled in", () => {
  const document = readHtml(pages.signIn(signIn));
  const deny = byId(document, "deny");
  assertEquals(sentBy(document, deny), [["request", "sealed.request"], ["decision", "deny"]]);
  assertEquals(attribute(deny, "class"), "plain", "a quiet button");
});

test("sign-in: a problem is announced, and the field to correct has the focus", () => {
  const cases = [
    [{ kind: "wrong_password" }, "password", ["password"]],
    [{ kind: "password_needed" }, "password", []],
    ...(["unknown_person", "disabled", "password_not_set"] as const).map((kind) =>
      [{ kind }, "username", ["username"]] as const
    ),
    ...(["too_many_attempts", "busy"] as const).map((kind) =>
      [{ kind, secondsToWait: 42 }, "password", []] as const
    ),
  ] as const;
  for (const [problem, field, wrong] of cases) {
    const document = readHtml(pages.signIn({ ...signIn, username: "carol", problem }));
    assertEquals(attribute(byId(document, "problem"), "role"), "alert");
    const focused = byId(document, field);
    assert(focused.attributes.has("autofocus"), problem.kind);
    assertEquals(attribute(focused, "aria-describedby"), "problem");
    const all = [...findAll(document, "input"), ...findAll(document, "button")];
    assertEquals(all.filter((each) => each.attributes.has("autofocus")).length, 1);
    const invalid = all.filter((each) => attribute(each, "aria-invalid") === "true");
    assertEquals(invalid.map((each) => attribute(each, "id")), [...wrong], problem.kind);
    assertMatch(textOf(findAll(document, "title")[0]!), /try again/);
  }
});

test("sign-in: after too many attempts the page says how long to wait", () => {
  const shown = (secondsToWait: number) => {
    const problem = { kind: "too_many_attempts", secondsToWait } as const;
    return textOf(byId(readHtml(pages.signIn({ ...signIn, problem })), "problem"));
  };
  assertMatch(shown(42), /too many attempts.* wait 42 seconds/);
  assertMatch(shown(1), / wait 1 second,/);
});

test("consent: shows client, redirect URI, person, each scope and the resources", () => {
  const document = readHtml(pages.consent(consent));
  assertEquals(findAll(document, "h1").map(textOf), ["Allow Demo app?"]);
  assertEquals(textOf(byId(document, "client-id")), "demo");
  assertEquals(textOf(byId(document, "redirect-uri")), consent.redirectUri);
  assertEquals(findAll(byId(document, "redirect-uri"), "strong").map(textOf), ["app.example:8443"]);
  assertMatch(textOf(byId(document, "person")), /^Alice Archer *alice$/);
  assertEquals(findAll(byId(document, "scopes"), "li").map(textOf), [
    "Know who you are openid",
    "Look at your train tickets tickets",
    "Use the scope api:run",
  ]);
  assertEquals(findAll(byId(document, "resources"), "li").map(textOf), consent.resources);
});

test("consent: the name of a scope is in grey after its sentence, if the sentence lacks it", () => {
  const names = findAll(byId(readHtml(pages.consent(consent)), "scopes"), "code");
  assertEquals(names.map((name) => attribute(name, "class")), ["aside", "aside", undefined]);
});

test("consent: a device login of an unverified client has one warning, which says all", () => {
  const client = { ...consent.client, isUnverified: true };
  const rows = [{ name: "user_code", lines: ["BCDF-GHJK"] }];
  const warnings = findAll(readHtml(pages.consent({ ...consent, client, rows })), "main")
    .flatMap(({ children }) => children)
    .filter((child) => typeof child !== "string" && attribute(child, "class") === "notice caution");
  const [text, ...others] = warnings.map((each) => textOf(each as Element));
  assertMatch(text!, /BCDF-GHJK.*only if you started this on your own device.*Unverified/s);
  assertEquals([others, text!.split(" only if ").length], [[], 2]);
});

test("consent: the emphasised part of the redirect URI is the host or scheme that gets the code", () => {
  const emphasised = (redirectUri: string) => {
    const uri = byId(readHtml(pages.consent({ ...consent, redirectUri })), "redirect-uri");
    assertEquals(textOf(uri), redirectUri);
    return findAll(uri, "strong").map(textOf);
  };
  assertEquals(emphasised("https://good.example@evil.example/cb"), ["evil.example"]);
  assertEquals(emphasised("https://EVIL.example/cb"), ["EVIL.example"]);
  assertEquals(emphasised("http://[::1]:4000/cb"), ["[::1]:4000"]);
  assertEquals(emphasised("com.example.app://good.example/cb"), ["com.example.app:"]);
  // The browser reads this URI differently, so no part is emphasised.
  assertEquals(emphasised("https://еvil.example/cb"), []);
  assertEquals(emphasised("https:evil.example/cb"), []);
});

test("consent: the host of a client id that is a URL is emphasised", () => {
  const client = { id: "https://client.example/metadata.json", isUnverified: false };
  const id = byId(readHtml(pages.consent({ ...consent, client })), "client-id");
  assertEquals([textOf(id), findAll(id, "strong").map(textOf)], [client.id, ["client.example"]]);
});

test("consent: approve and deny send the encrypted request and the decision", () => {
  const document = readHtml(pages.consent(consent));
  for (const decision of ["approve", "deny"]) {
    assertEquals(sentBy(document, byId(document, decision)), [
      ["request", "sealed.request"],
      ["decision", decision],
    ]);
  }
  assertEquals(actionsOf(document), new Set(["/oauth2/consent"]));
  assertEquals(findAll(document, "button").filter((button) => button.attributes.has("autofocus")), []);
});

test("consent: another person can sign in if the server allows it", () => {
  assertFalse(findById(readHtml(pages.consent(consent)), "change-person"));
  const document = readHtml(pages.consent({ ...consent, canChangePerson: true }));
  assertEquals(sentBy(document, byId(document, "change-person")), [
    ["request", "sealed.request"],
    ["decision", "change_person"],
  ]);
});

test("refusal: no character of its texts is hidden, alone and with what to change", () => {
  const alone = { status: 405, received: "GET" };
  for (const name of ["description", "change", "spec", "expected", "received", "wouldHaveGoneTo"] as const) {
    const hostile = { [name]: `${refusal[name]}${hostileLines.join("")}` };
    for (const props of [{ ...refusal, ...hostile }, { ...refusal, ...alone, ...hostile }]) {
      assertEquals([name, ...findHidden(textOf(readHtml(pages.refusal(props))))], [name]);
    }
  }
});

test("refusal: shows the rule, the expected and the received value, the redirect URI and a configuration", () => {
  const document = readHtml(pages.refusal(refusal));
  assertStringIncludes(textOf(byId(document, "status")), "400");
  assertEquals(textOf(byId(document, "description")), refusal.description);
  const shown = [
    ["error", refusal.error],
    ["change", refusal.change],
    ["spec", refusal.spec],
    ["expected", refusal.expected],
    ["received", refusal.received],
    ["would-have-gone-to", refusal.wouldHaveGoneTo],
    ["remedy", refusal.remedy],
    ["exchange-id", refusal.exchangeId],
  ] as const;
  for (const [id, text] of shown) assertEquals(textOf(byId(document, id)), text, id);
  assertEquals(byId(document, "remedy").name, "pre");
  assertEquals(attribute(byId(document, "home"), "href"), "/");
});

test("refusal: sentences are shown as text and values as code", () => {
  const sentence = "a first-use client: any client_id with a redirect_uri on this machine or of an app";
  const document = readHtml(pages.refusal({ ...refusal, expected: sentence, received: "https://a.example" }));
  const shown = byId(document, "expected"), value = byId(document, "received");
  assertEquals([shown.name, attribute(shown, "class")], ["span", "told"]);
  assertEquals([value.name, attribute(value, "class")], ["span", "value address"]);
});

test("refusal: opening a form's address directly says to start again from the application", () => {
  const show = (status: number, received: string) =>
    readHtml(pages.refusal({ status, description: "x", expected: "y", received, homeUrl: "/" }));
  const opened = show(405, "GET");
  assertEquals(findAll(opened, "h1").map(textOf), ["Start again from the application"]);
  assertMatch(textOf(byId(opened, "advice")), /Go back to the application .* start again there/);
  for (const other of [show(405, "PUT"), show(400, "GET")]) assertFalse(findById(other, "advice"));
});

test("form post: sends its fields in order, automatically or with a button (Form Post Response Mode §2)", () => {
  const html = pages.formPost(formPost);
  const document = readHtml(html);
  const form = byId(document, "form-post");
  assertEquals([attribute(form, "method"), attribute(form, "action")], ["post", "https://app.example/cb"]);
  assertEquals(sentBy(document, byId(document, "continue")), formPost.params);
  for (const input of findAll(form, "input")) assertEquals(attribute(input, "type"), "hidden");
  assertStringIncludes(html, 'src="/assets/1/form_post.js"');
  assertStringIncludes(textOf(byId(document, "main")), "Taking you back to app.example.");
});
