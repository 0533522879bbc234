/** The pages of the dashboard in German: their own texts are German, and English texts are marked as English. */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { englishDirectory } from "../../src/pages/words/directory_english.ts";
import { germanDirectory } from "../../src/pages/words/directory_german.ts";
import { filterNames } from "../../src/mock/journal/filter.ts";
import { englishInspector } from "../../src/pages/words/inspector_english.ts";
import { germanInspector } from "../../src/pages/words/inspector_german.ts";
import { attribute, type Element, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { englishWords, shownTexts, textsOf } from "../pages/word_texts.ts";
import { test } from "../runner.ts";
import { challenge, verifier } from "../world.ts";
import { key, openControlled, type OpenedDashboard, openPlain } from "./open_dashboard.ts";

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
  for (const path of paths) await requireGerman(await send(path, inGerman), words, path);
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
  const file = await (await dashboard.send("/inspector/export?form=html", inGerman)).text();
  for (const text of ['<html lang="de">', "17 Anfragen, 10 abgelehnt", "Geschwärzt", "Abhilfe"]) {
    assertStringIncludes(file, text);
  }
  await requireGerman(await dashboard.send("/session", inGerman), inspectorWords, "session");
  await dashboard.post("/session", { key, purpose: "inspector" });
  await openGerman(dashboard, ["/inspector", ...paths], inspectorWords);
});
