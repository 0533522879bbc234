/** The pages of the dashboard in German: their own texts are German, and English texts are marked as English. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { englishControl } from "../../src/pages/words/control_english.ts";
import { germanControl } from "../../src/pages/words/control_german.ts";
import { englishDirectory } from "../../src/pages/words/directory_english.ts";
import { germanDirectory } from "../../src/pages/words/directory_german.ts";
import { filterNames } from "../../src/mock/journal/filter.ts";
import { englishInspector } from "../../src/pages/words/inspector_english.ts";
import { germanInspector } from "../../src/pages/words/inspector_german.ts";
import { englishMisbehaviours } from "../../src/pages/words/misbehaviours_english.ts";
import { germanMisbehaviours } from "../../src/pages/words/misbehaviours_german.ts";
import { englishPlayground } from "../../src/pages/words/playground_english.ts";
import { germanPlayground } from "../../src/pages/words/playground_german.ts";
import { attribute, type Element, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { englishWords, shownTexts, textsOf } from "../pages/word_texts.ts";
import { test } from "../runner.ts";
import { challenge, verifier } from "../world.ts";
import { formTokenOf, key, openControlled, type OpenedDashboard, openPlain } from "./open_dashboard.ts";

const inGerman = { headers: { "accept-language": "de" } };

interface PageWords {
  readonly english: unknown;
  readonly german: unknown;
}

/** Requires that the document says that it is German, and that it is. */
async function requireGerman(response: Response, words: PageWords, place: string): Promise<Element> {
  const document = readHtml(await response.text());
  assertEquals(findAll(document, "html")[0]?.attributes.get("lang"), "de", place);
  const [main] = findAll(document, "main");
  assert(main !== undefined, place);
  assertEquals(main.attributes.get("lang"), undefined, place);
  for (const text of shownTexts(document)) assertFalse(englishWords.test(text), `${place}: ${text}`);
  // A value such as `true` may be the text of a word file, too.
  const values = findAll(main, "code").map(textOf);
  const german = new Set([...[...textsOf(words.german)].map(([, text]) => text), ...values]);
  const texts = new Set(listTexts(main));
  const left = [...textsOf(words.english)].filter(([, text]) => texts.has(text) && !german.has(text));
  assertEquals(left, [], place);
  return document;
}

/** The texts between the tags. */
function listTexts(element: Element): readonly string[] {
  return element.children.flatMap((child) =>
    typeof child === "string" ? [child.trim()] : [textOf(child).trim(), ...listTexts(child)]
  );
}

async function openGerman(
  { send }: Pick<OpenedDashboard, "send">,
  paths: readonly string[],
  words: PageWords,
): Promise<void> {
  for (const path of paths) {
    const response = await send(path, inGerman);
    assertEquals(response.status, 200, path);
    await requireGerman(response, words, path);
  }
}

test("German: the pages of people and clients", async () => {
  const dashboard = await openControlled({ firstUse: true, registration: true });
  await using as = dashboard.as;
  const { client_id: id } = await as.register();
  await as.login("alice", { client: id });
  await openGerman(dashboard, [
    "/people",
    "/people/add",
    "/people/person?username=alice&done=saved",
    "/clients",
    "/clients?q=nothing-like-this",
    `/clients/client?${new URLSearchParams({ id })}`,
  ], { english: englishDirectory, german: germanDirectory });
  const page = await dashboard.send("/people", inGerman);
  assertStringIncludes(await page.text(), "Diese Personen können sich an diesem Server anmelden.");
});

const redirectUri = "https://app.example/cb";
const inspectorWords = { english: englishInspector, german: germanInspector };

/** Sends requests that the server refuses for the usual reasons, and others that it answers. */
async function makeMistakes({ send }: OpenedDashboard): Promise<void> {
  const authorize = async (changed: Readonly<Record<string, string>> = {}) => {
    const params = {
      ...{ response_type: "code", client_id: "spa", redirect_uri: redirectUri, state: "1", nonce: "2" },
      ...{ scope: "openid offline_access", code_challenge: challenge, code_challenge_method: "S256" },
      ...changed,
    };
    const answered = await send(`/oauth2/authorize?${new URLSearchParams(params)}`);
    return new URL(answered.headers.get("location") ?? redirectUri).searchParams.get("code") ?? "";
  };
  const post = async (path: string, form: Readonly<Record<string, string>>) => {
    const answered = await send(path, {
      method: "POST",
      body: new URLSearchParams({ client_id: "spa", ...form }),
      headers: { accept: "application/json", "sec-fetch-mode": "cors", cookie: "" },
    });
    return await answered.json() as Readonly<Record<string, string>>;
  };
  const redeem = (code: string, changed: Readonly<Record<string, string>> = {}) =>
    post("/oauth2/token", {
      ...{ grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier },
      ...changed,
    });
  const code = await authorize();
  const { refresh_token = "" } = await redeem(code);
  await post("/oauth2/token", { grant_type: "refresh_token", refresh_token });
  await redeem(code);
  await post("/oauth2/token", { grant_type: "refresh_token", refresh_token });
  await redeem(await authorize(), { code_verifier: "x".repeat(43) });
  await redeem(await authorize(), { redirect_uri: `${redirectUri}/` });
  await redeem(await authorize(), { client_id: "shop", client_secret: "wrong" });
  await redeem("unknown");
  await authorize({ code_challenge: "" });
  await authorize({ client_id: "nobody" });
  await authorize({ prompt: "none login" });
  await send("/userinfo", { headers: { authorization: "Bearer unknown" } });
  await send("/.well-known/openid-configuration");
}

test("German: the inspector, with refused requests of many kinds", async () => {
  const clients = [
    { client_id: "spa", redirect_uris: [redirectUri] },
    { client_id: "shop", client_secret: "secret", redirect_uris: [redirectUri] },
  ];
  const dashboard = openPlain({ clients, login: "auto" });
  await openGerman(dashboard, ["/inspector"], inspectorWords);
  await makeMistakes(dashboard);
  const list = await requireGerman(await dashboard.send("/inspector", inGerman), inspectorWords, "list");
  const ids = findAll(list, "li").flatMap((line) =>
    /^exchange-(.+)/.exec(attribute(line, "id") ?? "")?.[1] ?? []
  );
  assert(ids.length > 15, `${ids.length}`);
  const shown = textOf(list);
  for (const text of ["(10 abgelehnt) Inspector", "Abhilfe: Senden Sie jeden Code ein Mal"]) {
    assertStringIncludes(shown, text);
  }
  for (const name of filterNames) assert(germanInspector.page.filterWord(name) !== "", name);
  const paths = [...ids.map((id) => `/inspector/${id}`), "/inspector/diagram"];
  await openGerman(dashboard, [
    ...["outcome:bad", "clint:spa", "xyzzy:1", "client:none"].map((q) =>
      `/inspector?${new URLSearchParams({ q })}`
    ),
    ...paths,
  ], inspectorWords);
  await requireGerman(await dashboard.send("/inspector/AAAAAAAAAAAA", inGerman), inspectorWords, "gone");
  await openGerman(dashboard, ["/search?q=token", "/search?q=xyzzy"], inspectorWords);
  await requireGerman(await dashboard.send("/session", inGerman), inspectorWords, "session");
  await dashboard.enter(key);
  const file = await (await dashboard.send("/inspector/export?form=html", inGerman)).text();
  for (const text of ['<html lang="de">', "17 Anfragen, 10 abgelehnt", "Geschwärzt", "Abhilfe"]) {
    assertStringIncludes(file, text);
  }
  await openGerman(dashboard, ["/inspector", ...paths], inspectorWords);
});

const playground = { english: englishPlayground, german: germanPlayground };

test("German: the playground, for each request and for a request that the server refuses", async () => {
  const dashboard = openPlain({ registration: true, resources: ["https://api.test"] });
  const first = await requireGerman(await dashboard.send("/playground", inGerman), playground, "/playground");
  const kinds = findAll(first, "a").map((link) => link.attributes.get("href") ?? "")
    .filter((href) => href.startsWith("/playground?kind="));
  assert(kinds.length > 5);
  await openGerman(dashboard, [...kinds, "/playground/read"], playground);
  const refused = await requireGerman(
    await dashboard.send("/playground?kind=authorize&client_id=demo&pkce=none", inGerman),
    playground,
    "a refused request",
  );
  const [check] = findAll(refused, "p").filter((each) => each.attributes.get("id") === "check");
  assertStringIncludes(textOf(check!), "ablehnen: ");
  assertEquals(findAll(check!, "span").map((each) => each.attributes.get("lang")), ["en"]);
});

test("German: what the playground says about a pasted text", async () => {
  const dashboard = await openControlled();
  await using as = dashboard.as;
  const tokens = await as.login("alice", { scope: "openid" });
  const texts = [
    "",
    "nothing-like-a-token",
    "{",
    JSON.stringify(tokens),
    "https://as.test/callback?error=access_denied&state=1",
    `${as.issuer}/oauth2/authorize?response_type=code&client_id=unknown`,
  ];
  for (const pasted of texts) {
    const form = await (await dashboard.send("/playground/read")).text();
    const answer = await dashboard.post("/playground/read", {
      form_token: formTokenOf(form, "/playground/read"),
      pasted,
    }, inGerman);
    await requireGerman(answer, playground, `pasted ${pasted}`);
  }
});

const misbehaviours = { english: englishMisbehaviours, german: germanMisbehaviours };

/** Sends a form of a page in German, and returns the answer or the page that follows. */
async function press(
  dashboard: OpenedDashboard,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const html = await (await dashboard.send(path)).text();
  const step = /name="step" value="(\d+)"/.exec(html)?.[1] ?? "";
  const form = { form_token: formTokenOf(html, path), step, ...fields };
  const response = await dashboard.post(path, form, inGerman);
  return response.status === 303
    ? await dashboard.send(response.headers.get("location")!, inGerman)
    : response;
}

test("German: the pages that make the server wrong, while it is right and without --control", async () => {
  await openGerman(openPlain(), [
    "/misbehaviours",
    "/misbehaviours?area=id_token",
    "/misbehaviours?q=nothing-like-this",
    "/misbehaviours/id_token.alg_none",
    "/misbehaviours/proof.alg_none",
    "/misbehaviours/clock",
    "/misbehaviours/gates",
    "/misbehaviours/look_alikes",
    "/misbehaviours/examine",
  ], misbehaviours);
  await openGerman(openPlain({}, { control: { open: false, token: "correct-horse-battery" } }), [
    "/misbehaviours",
  ], misbehaviours);
});

test("German: the pages that make the server wrong, while it is wrong", async () => {
  const dashboard = await openControlled();
  await using as = dashboard.as;
  const wrong = as.misbehave("authorization_response.iss_wrong", { client: "app", times: 3 });
  as.lookLike("github");
  await as.login("alice").catch(() => {});
  await wrong.settled(Promise.resolve());
  as.hold("token", { count: 2 });
  as.fail("userinfo", { status: 503, retryAfter: "2s" });
  as.clock.skew("-90s");
  await openGerman(dashboard, [
    "/misbehaviours",
    "/misbehaviours/authorization_response.iss_wrong",
    "/misbehaviours/clock",
    "/misbehaviours/gates",
    "/misbehaviours/look_alikes",
  ], misbehaviours);
  const problem = await press(dashboard, "/misbehaviours/clock", { deed: "advance", by: "soon" });
  assertEquals(problem.status, 400);
  await requireGerman(problem, misbehaviours, "a wrong duration");
});

test("German: each step of the examination of an application, and its card", async () => {
  const dashboard = await openControlled();
  await using as = dashboard.as;
  const path = "/misbehaviours/examine";
  const act = async (fields: Readonly<Record<string, string>>) =>
    await requireGerman(await press(dashboard, path, fields), misbehaviours, JSON.stringify(fields));
  const stageOf = (page: Element) =>
    findAll(page, "section").find((each) => each.attributes.has("data-stage"))?.attributes.get("data-stage");
  await act({ deed: "choose", level: "must", area: "authorization_response" });
  await act({ deed: "success" });
  await as.login("alice");
  assertMatch(stageOf(await act({ deed: "success" })) ?? "", /^offer/);
  await act({ deed: "skip" });
  await act({ deed: "switch_on" });
  assertMatch(stageOf(await act({ deed: "error" })) ?? "", /^judged/);
  await openGerman(dashboard, [path, `${path}/card`], misbehaviours);
});

test("German: the pages of the control plane, and a page that does not exist", async () => {
  const words = { english: englishControl, german: germanControl };
  const dashboard = openPlain();
  await requireGerman(await dashboard.send("/misbehaviours/nothing", inGerman), words, "no such page");
  const { as, ...controlled } = await openControlled();
  await using _closing = as;
  const missing = await controlled.send("/playground/nothing", inGerman);
  assertEquals(missing.status, 404);
  await requireGerman(missing, words, "no such page of the playground");
});
