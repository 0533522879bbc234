/** What a refusal says in the words of libraries: on its page, and in the journal. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createMock } from "../../../../src/kit/mod.ts";
import { libraries, librariesByLanguage } from "../../../../src/server/libraries/mod.ts";
import { queryOf } from "../../../server/libraries/recordings.ts";
import { attribute, byId, findById, readHtml, textOf } from "../../../server/pages/read_html.ts";
import { test } from "../../../runner.ts";

const { JavaScript, Python } = librariesByLanguage;
const mayEndWithComma = new Set([...JavaScript, ...Python].map(({ name }) => name));

async function refuse(
  query: string,
  issuer = "http://localhost:9000",
  headers: Readonly<Record<string, string>> = {},
) {
  const as = await createMock({ issuer });
  const url = `${as.issuer}/oauth2/authorize${query}`;
  const response = await as.fetch(url, { redirect: "manual", headers: { accept: "text/html", ...headers } });
  return { as, page: readHtml(await response.text()) };
}

test("refusal: the page has the line of the library that the request looks like, before all others", async () => {
  const { as, page } = await refuse(queryOf("flask-dance"));
  assertEquals(textOf(byId(page, "line")), "use_pkce=True");
  const whole = textOf(page);
  const places = [
    "PKCE is required",
    "Whose fault",
    "Is it dangerous",
    "looks like one of Flask-Dance 7.1",
    "use_pkce=True",
    "An argument of OAuth2ConsumerBlueprint().",
    "print flask-dance --issuer http://localhost:9000 prints all settings",
    "It is another library",
    "By hand: Make a random code_verifier",
    "the exception, and what it gives up",
  ]
    .map((text) => whole.indexOf(text));
  assertEquals(places, places.toSorted((left, right) => left - right));
  assert(places[0]! >= 0);
  assert(as.explain()!.includes("looks     like Flask-Dance 7.1: use_pkce=True"));
  await as.close();
});

test("refusal: a request that looks like no library gets the general change, and the list by language", async () => {
  const query =
    "?response_type=code&client_id=other&redirect_uri=http://localhost:3000/cb&scope=openid&state=x";
  const { as, page } = await refuse(query);
  assertEquals(findById(page, "line"), undefined);
  const whole = textOf(page);
  for (const language of Object.keys(librariesByLanguage)) assert(whole.includes(language), language);
  for (const { name, words, into } of libraries) {
    // JavaScript and Python allow a comma after the last member or argument.
    const comma = mayEndWithComma.has(name) && into?.pkce?.includes("…") ? "," : "";
    assert(words.pkce === undefined || whole.includes(words.pkce));
    assert(into?.pkce === undefined || whole.includes(`Add ${words.pkce}${comma} to ${into.pkce}.`), name);
  }
  assertMatch(
    whole,
    /Authorization request\s*code_challenge: BASE64URL\(SHA256\(code_verifier\)\), without =; code_challenge_method=S256/,
  );
  assertMatch(whole, /Token request\s*code_verifier: 43 to 128 characters; keep it until the callback/);
  assertMatch(whole, /Received\s*no code_challenge, no code_challenge_method/);
  assertEquals(as.explain()!.includes("looks "), false);
  await as.close();
});

const challenge = `&code_challenge=${"a".repeat(43)}`;
const inWords = {
  challenge_missing: ["&response_type=code", "use_pkce=True"],
  challenge_method_missing: [`&response_type=code${challenge}`, "use_pkce=True"],
  challenge_method_unsupported: [
    `&response_type=code${challenge}&code_challenge_method=plain`,
    "use_pkce=True",
  ],
  response_type_missing: ["", 'response_type => "code"'],
  response_type_unsupported: ["&response_type=other", 'response_type => "code"'],
} as const;

for (const [reason, [params, line]] of Object.entries(inWords)) {
  test(`refusal: the page of ${reason} has the words of libraries`, async () => {
    const query = `?client_id=other&redirect_uri=http://localhost:3000/cb${params}`;
    const { as, page } = await refuse(query);
    assertEquals([as.requests.last?.refusal?.reason, textOf(page).includes(line)], [reason, true]);
    await as.close();
  });
}

test("refusal: a line that belongs into something which applications have is shown without it, and named with it", async () => {
  const { as, page } = await refuse(queryOf("authlib"));
  assertEquals(textOf(byId(page, "line")), '"code_challenge_method": "S256",');
  assertMatch(
    textOf(page),
    /add this to client_kwargs=\{…\}:.*client_kwargs is an argument of oauth\.register/s,
  );
  const said =
    'looks     like Authlib (Flask, Django, FastAPI) 1.9: add "code_challenge_method": "S256" to client_kwargs={…}';
  assert(as.explain()!.includes(said), as.explain());
  await as.close();
});

test("refusal: Spring's line names the registration of the redirect URI, for both files", async () => {
  const query = (id: string) =>
    `?response_type=code&client_id=shop&scope=openid&state=x&redirect_uri=http://localhost:8080/login/oauth2/code/${id}`;
  const entry = "spring.security.oauth2.client.registration";
  for (const [id, shown] of [["our-as", "our-as"], ["our.as", "ID"], ["a".repeat(41), "ID"]] as const) {
    const { as, page } = await refuse(query(id));
    assertEquals(
      ["into", "line", "alternative"].map((each) => textOf(byId(page, each))),
      [
        `${entry}.${shown}`,
        "client-authentication-method: none",
        `${entry}.${shown}.client-authentication-method=none`,
      ],
    );
    assertMatch(textOf(page), /application\.yml.*application\.properties.*LoginWithPkce of print spring/s);
    await as.close();
  }
});

test("refusal: a library without PKCE is said to have none, with the exception and what it gives up", async () => {
  const { as, page } = await refuse(queryOf("goth"));
  const whole = textOf(page);
  assert(whole.includes("goth 1.82, which has no setting for it"));
  assertEquals(findById(page, "line"), undefined);
  const instead = textOf(byId(page, "instead"));
  assert(/require_pkce: false.*cannot notice a stolen code/s.test(instead), instead);
  assert(as.explain()!.includes("looks     like goth 1.82, which has no setting for it"));
  await as.close();
});

test("refusal: the browser's User-Agent says nothing about the library", async () => {
  const query =
    "?response_type=code&client_id=other&redirect_uri=http://localhost:3000/cb&scope=openid&state=x";
  const { as, page } = await refuse(query, undefined, { "user-agent": "simov/grant/5.4.24" });
  assertEquals(findById(page, "line"), undefined);
  await as.close();
});

test("refusal: an issuer that is not on loopback says nothing of libraries", async () => {
  for (const issuer of ["https://as.example", "https://as.test", "https://localhost.example"]) {
    const { as, page } = await refuse(queryOf("flask-dance"), issuer);
    assertEquals([findById(page, "line"), textOf(page).includes("use_pkce")], [undefined, false]);
    assertEquals(as.explain()!.includes("Flask-Dance"), false);
    await as.close();
  }
});

test("refusal: a request without response_type names the library that leaves it out", async () => {
  const { as, page } = await refuse(queryOf("mojolicious-oauth2"));
  assertEquals(textOf(byId(page, "line")), 'authorize_query => {response_type => "code"}');
  await as.close();
});

test("refusal: what the server could be told is folded if it gives something up, and the page says whose turn it is", async () => {
  const { as, page } = await refuse(queryOf("flask-dance"));
  assertEquals(attribute(byId(page, "instead"), "open"), undefined);
  assertMatch(
    textOf(byId(page, "whose")),
    /Whose fault.*its code or its settings must change/,
  );
  assertMatch(textOf(byId(page, "danger")), /dangerous\? No\..*issued nothing/);
  await as.close();
  const query = "?response_type=code&client_id=app&redirect_uri=http://localhost:3000/unknown";
  const other = await refuse(query);
  assert(attribute(byId(other.page, "instead"), "open") !== undefined);
  assertEquals(textOf(byId(other.page, "instead")).includes("What would allow it"), true);
  await other.as.close();
});

test("refusal: a pushed request names the library, too", async () => {
  const as = await createMock({ issuer: "http://localhost:9000" });
  const body = new URLSearchParams(queryOf("flask-dance").slice(1));
  const { status } = await as.fetch(`${as.issuer}/oauth2/par`, { method: "POST", body });
  assertEquals(status, 400);
  assert(as.explain()!.includes("looks     like Flask-Dance 7.1: use_pkce=True"), as.explain());
  await as.close();
});
