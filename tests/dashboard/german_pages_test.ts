/** The pages of the dashboard in German: their own texts are German, and English texts are marked as English. */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { englishDirectory } from "../../src/pages/words/directory_english.ts";
import { germanDirectory } from "../../src/pages/words/directory_german.ts";
import { type Element, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { englishWords, shownTexts, textsOf } from "../pages/word_texts.ts";
import { test } from "../runner.ts";
import { openControlled, type OpenedDashboard } from "./open_dashboard.ts";

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
  const german = new Set([...textsOf(words.german)].map(([, text]) => text));
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
