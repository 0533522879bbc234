/** A class is an error, or stands in a list with its reason. */
import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { readSources } from "./sources.ts";

const oncePerRequest = "one object is made for each request, and a class is the fastest way to make it";

/** The classes that are no errors. */
const kept: Readonly<Record<string, string>> = {
  FetchedRequest: oncePerRequest,
  KeptEntry: oncePerRequest,
  NodeRequest: oncePerRequest,
  PackedEntry: oncePerRequest,
  PackedMessage: oncePerRequest,
  PackedRequest: oncePerRequest,
  PackedResponse: oncePerRequest,
  RunningExchange: oncePerRequest,
};

type Declared = readonly [name: string, parent: string | undefined];

/** Finds the declarations at the beginning of a line, and classes that are values. */
function findClasses(text: string): readonly Declared[] {
  const heads = text.matchAll(/^(?:[^*/\n]*[=(] *| *(?:export )?)class\b( [^{]*)\{/gm);
  return [...heads].map(([, head = ""]) => [
    /^ (?!extends\b)(\w+)/.exec(head)?.[1] ?? "",
    /\bextends (\w+)/.exec(head)?.[1],
  ]);
}

/** Returns the names of the classes that do not come from an error of the language. */
function listOthers(classes: readonly Declared[]): readonly string[] {
  const parents = new Map(classes);
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (parents.has(name) ? isError(parents.get(name)) : /Error$/.test(name));
  return classes.filter(([, parent]) => !isError(parent)).map(([name]) => name).sort();
}

test("architecture: a class is an error, or has a reason", () => {
  const classes = readSources("src").flatMap(({ text }) => findClasses(text));
  assertEquals(listOthers(classes), Object.keys(kept));
});

test("architecture: classes are found in each form, with what they extend", () => {
  const text = [
    "export class Lost extends Error {}",
    "class Gone extends Lost {}",
    "export class List<Item>\n  implements Iterable<Item> {\n}",
    "const made = class extends Map<string, string> {};",
    "/** A class that is a word { */",
    'const text = classify({ a: "class" });',
  ].join("\n");
  const classes = findClasses(text);
  assertEquals(classes, [["Lost", "Error"], ["Gone", "Lost"], ["List", undefined], ["", "Map"]]);
  assertEquals(listOthers(classes), ["", "List"]);
});
