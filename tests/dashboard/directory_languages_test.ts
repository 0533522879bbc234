/** The pages of people and clients in German have German texts only. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { englishDirectory } from "../../src/pages/words/directory_english.ts";
import { germanDirectory } from "../../src/pages/words/directory_german.ts";
import { findAll, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { openControlled } from "./open_dashboard.ts";

/** Yields each text with its place. */
function* textsOf(words: unknown, place = ""): Generator<readonly [place: string, text: string]> {
  if (typeof words === "string") yield [place, words];
  if (typeof words !== "object" || words === null) return;
  for (const [name, value] of Object.entries(words)) yield* textsOf(value, `${place}.${name}`);
}

test("directory: the pages in German show no English text", async () => {
  const german = new Map(textsOf(germanDirectory));
  const english = [...textsOf(englishDirectory)].filter(([place, text]) => german.get(place) !== text);
  assert(english.length > 80);
  const dashboard = await openControlled({ firstUse: true, registration: true });
  await using as = dashboard.as;
  const { client_id: id } = await as.register();
  await as.login("alice", { client: id });
  const paths = [
    "/people",
    "/people/add",
    "/people/person?username=alice&done=saved",
    "/clients",
    "/clients?q=nothing-like-this",
    `/clients/client?${new URLSearchParams({ id })}`,
  ];
  for (const path of paths) {
    const response = await dashboard.send(path, { headers: { "accept-language": "de" } });
    assertEquals(response.status, 200, path);
    const html = readHtml(await response.text());
    assertEquals(findAll(html, "html")[0]?.attributes.get("lang"), "de");
    const texts = findAll(html, "main").flatMap((main) => listTexts(main));
    const left = english.filter(([, text]) => texts.includes(text));
    assertEquals(left, [], path);
  }
  const page = await dashboard.send("/people", { headers: { "accept-language": "de" } });
  assertStringIncludes(await page.text(), "Diese Personen können sich an diesem Server anmelden.");
});

/** The texts between the tags. */
function listTexts(element: ReturnType<typeof readHtml>): readonly string[] {
  return element.children.flatMap((child) =>
    typeof child === "string" ? [child.trim()] : [textOf(child).trim(), ...listTexts(child)]
  );
}
