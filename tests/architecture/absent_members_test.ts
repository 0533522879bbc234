/** One way to leave out a member: `present()`. A spread with a condition is for members that come together. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { blank } from "./rules.ts";
import { readSources } from "./sources.ts";

/** What the spread `...(a ? b : c)` may give: the members of each literal, none for `{}`. */
type Given = readonly (readonly string[])[];

/** Lists what each spread gives that leaves members out: literals in some branches, and nothing in others. */
function listSpreads(text: string): readonly Given[] {
  const code = blank(text, "comments, templates and strings");
  return [...code.matchAll(/(?<=[{,]\s*)\.\.\./g)].flatMap(({ index }) => {
    const given = listGiven(splitOutside(code.slice(index + 3), /^[,)\]}]/)[0]!);
    return given !== undefined && given.some((each) => each.length === 0) && given.some(hasMembers)
      ? [given]
      : [];
  });
}

/** Returns nothing if a branch is anything but a literal, such as a call. */
function listGiven(written: string): Given | undefined {
  const text = written.trim().replace(/ as const$/, "");
  if (text === "undefined") return [[]];
  if (text.startsWith("(") && text.endsWith(")")) return listGiven(text.slice(1, -1));
  if (text.startsWith("{") && text.endsWith("}")) {
    return [splitOutside(text.slice(1, -1), /^,/).map((each) => each.trim()).filter((each) => each !== "")];
  }
  const branches = splitOutside(text, /^\s\?\s/);
  if (branches.length > 1) {
    // What stands before a question mark is a condition.
    const values = branches.slice(1).flatMap((branch, at) =>
      splitOutside(branch, /^\s:\s/).slice(0, at < branches.length - 2 ? -1 : undefined)
    ).map(listGiven);
    return values.includes(undefined) ? undefined : values.flatMap((each) => each ?? []);
  }
  const sides = splitOutside(text, /^\s&&\s/);
  const given = sides.length > 1 ? listGiven(sides.at(-1)!) : undefined;
  return given && [[], ...given];
}

/** Splits a text at a separator that stands in no brackets. Ends before a bracket that the text does not open. */
function splitOutside(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let depth = 0, from = 0, at = 0;
  for (; at < text.length && depth >= 0; at++) {
    const found = depth === 0 ? separator.exec(text.slice(at, at + 4))?.[0] : undefined;
    if (found !== undefined) {
      parts.push(text.slice(from, at));
      from = at + found.length;
    }
    if (/[([{]/.test(text[at]!)) depth++;
    if (/[)\]}]/.test(text[at]!)) depth--;
  }
  return [...parts, text.slice(from, at)];
}

const hasMembers = (members: readonly string[]) => members.length > 0;

/** Whether a literal has at most one member, which has a value and a name that is known before. */
function hasOne(members: readonly string[]): boolean {
  return members.length < 2 && members.every((each) => /^[\w$]+$|^[\w$]*\s*:/.test(each));
}

const spreads = readSources("src").flatMap(({ path, text }) =>
  listSpreads(text).map((given) => ({ path, given }))
);

test("absent members: present() leaves out a single member, and no spread with a condition does", () => {
  assert(spreads.length > 0, "no members come together");
  assertEquals(spreads.filter(({ given }) => given.every(hasOne)), []);
});

const examples = [
  ["...(state === undefined ? {} : { state })", true],
  ['...(isApp ? { "max-age": 1 } as const : {})', true],
  ['...(isApp ? { kind: "app" } : {})', true],
  ["...(isApp && { client: find(a, b) })", true],
  ["...(isApp ? isOld ? { client: 1 } : {} : { client: 2 })", true],
  ["...text !== notice && { type }", true],
  ["...(isApp ? { client, scope } : {})", false],
  ["...(isApp ? { [name]: 1 } : {})", false],
  ["...(isApp ? describe(client) : {})", false],
  ["...present({ state })", false],
] as const;
for (const [spread, isSingle] of examples) {
  test(`absent members: ${spread} ${isSingle ? "leaves out a single member" : "is right"}`, () => {
    const given = listSpreads(`const made = { a, ${spread}, b };`);
    assertEquals(given.some((each) => each.every(hasOne)), isSingle);
  });
}
