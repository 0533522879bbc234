/** Prints the settings of a library or a product, and the lines that it may need. */

import { nearestThree } from "../../../ground/schema/nearest.ts";
import { present } from "../../../ground/values/present.ts";
import { describeUse, librariesByLanguage, writeLine } from "../../../server/libraries/mod.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import { describeApplication } from "./application.ts";
import { applicationForms, type Form, json, plain, singleQuoted } from "./application_forms.ts";
import type { Language } from "./form_values.ts";

type LanguageName = keyof typeof librariesByLanguage;
type Library = (typeof librariesByLanguage)[LanguageName][number];
type Switch = keyof Library["words"];

const rows: readonly (readonly [language: LanguageName, library: Library])[] = Object.entries(
  librariesByLanguage,
).flatMap(([language, all]) => all.map((library) => [language as LanguageName, library] as const));

/** The names of libraries that are no names of printed forms. */
export const libraryNames: readonly string[] = rows
  .map(([, { name }]) => name)
  .filter((name) => !applicationForms.includes(name));

/** What the line of a switch does. */
const effects: Readonly<Record<Switch, string>> = {
  pkce: "PKCE",
  nonce: "a nonce",
  resource: "the API that the tokens are for",
  scope: "several scopes",
  https: "http on localhost",
  claims: "the name in the ID token",
  authentication: "how the client authenticates",
  response_type: "a code",
};

/** Returns the lines, or nothing if no library has the name. The spelling of its title is also right. */
export function describeLibrary(
  name: string,
  settings: Settings,
  configuration: Configuration,
): readonly string[] | undefined {
  const [language, library] = findRow(name) ?? [];
  if (language === undefined || library === undefined) return undefined;
  const lines = describeApplication(
    library.form ?? library.name,
    settings,
    configuration,
    present({ libraryForm: formOf(library, language) }),
  );
  const mark = library.isPlain || hashLanguages.includes(language) ? "#" : "//";
  const { title, version, words, into = {}, alternative } = library;
  const comments = [
    `${title} ${version}`,
    describeUse(library)?.replaceAll("`", ""),
    ...Object.entries(words).map(([of, line]) =>
      `For ${effects[of as Switch]}: ${writeLine(line, into[of as Switch])}`
    ),
    alternative && `The same in ${alternative.file}: ${alternative.line}`,
  ];
  return [...comments.filter((each) => each !== undefined).map((each) => `${mark} ${each}`), ...lines];
}

/** The pages of the kits, each with the test framework in which it starts a server. */
const kits: { readonly [of in LanguageName]?: readonly [framework: string, page: string] } = {
  Python: ["pytest", "docs/python.md"],
  Go: ["package testing", "docs/go.md"],
  Java: ["JUnit", "docs/java.md"],
};

/** Returns the comment that names the kit for the language of a form or a library, or nothing if it has none. */
export function describeKit(name: string, [first = ""]: readonly string[]): readonly string[] {
  const [language] = findRow(name) ?? rows.find(([, { form }]) => form === name) ?? [];
  const kit = language && kits[language];
  if (kit === undefined) return [];
  const [framework, page] = kit;
  return [
    `${first.startsWith("#") ? "#" : "//"} For tests with ${framework}, a kit starts the server: ${page}`,
  ];
}

function findRow(name: string) {
  const word = fold(name);
  return rows.find(([, each]) => fold(each.name) === word) ??
    rows.find(([, each]) => fold(each.title) === word);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, "");
}

function formOf({ title, settings, isPlain }: Library, language: LanguageName): Form | undefined {
  if (settings === undefined) return undefined;
  return { title, file: settings, language: isPlain ? plain : quoting[language] ?? json };
}

const hashLanguages: readonly LanguageName[] = ["Python", "Ruby", "Perl"];

/** The other languages read a JSON string as the same text. */
const quoting: { readonly [of in LanguageName]?: Language } = {
  Ruby: singleQuoted,
  PHP: singleQuoted,
  Perl: singleQuoted,
};

/** Names the libraries whose name has the word, or whose name is most similar to it. */
export function describeSimilar(name: string): string {
  const word = fold(name);
  const known = [...applicationForms, ...libraryNames];
  const having = known.filter((each) => word.length > 2 && fold(each).includes(word));
  const near = nearestThree(name, known, having);
  // A URL may contain a password.
  const shown = JSON.stringify(name.replace(/^.+@/s, "…@"));
  return `nothing is printed for ${shown}: did you mean ${near.join(", ")}? print --help has all`;
}
