/** docs/reference/libraries.md: what each library is told, in its own words. */
import { describeUse, librariesByLanguage } from "../../src/server/libraries/mod.ts";
import type { Library, Switch } from "../../src/server/libraries/library.ts";
import { code, type Page, table } from "./markdown.ts";

const effects: Readonly<Record<Switch, string>> = {
  pkce: "PKCE",
  nonce: "a nonce",
  resource: "an API for the tokens (`resource`)",
  scope: "several scopes",
  https: "http on localhost",
  claims: "the name in the ID token",
  authentication: "how the client authenticates",
  response_type: "a code",
};

export function writeLibraries(): Page {
  return {
    title: "Libraries",
    summary:
      "What a library or a product must be told so that it does what Postern asks for. `deno task print NAME` " +
      "prints all settings for one. Each was read in its source or documentation in this version, and most were run.",
    parts: Object.entries(librariesByLanguage).flatMap(([language, libraries]) => [
      `## ${language}`,
      table(["library", "NAME", "for", "line"], libraries.flatMap(writeRows)),
    ]),
  };
}

function writeRows(library: Library) {
  const { title, version, name, pkce, words, into = {}, alternative } = library;
  const lines = Object.entries(words).map(([of, line]) => {
    const to = into[of as Switch];
    return [effects[of as Switch], to === undefined ? code(line) : `add ${code(line)} to ${code(to)}`];
  });
  const sends = {
    always: "It sends PKCE by itself. ",
    never:
      "It has no PKCE: see [what the server could be told](../in_the_words_of_your_library.md#a-library-without-pkce). ",
    "if told": "",
  };
  const same = alternative === undefined ? "" : `In ${code(alternative.file)}: ${code(alternative.line)}. `;
  const told = (sends[pkce] + same + (describeUse(library) ?? "")).trim();
  const rows = [...lines, ...(told === "" ? [] : [["", told]])];
  return rows.map((row, at) => at === 0 ? [`${title} ${version}`, code(name), ...row] : ["", "", ...row]);
}
