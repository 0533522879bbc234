/** The characters of foreign texts that people do not see, in texts, in names and in JSON. */

import { assertEquals, assertMatch } from "@std/assert";
import { escapeHidden } from "../../src/ground/values/hidden_characters.ts";
import {
  isLongName,
  quote,
  shorten,
  visible,
  visibleLines,
  visibleName,
} from "../../src/ground/values/visible.ts";
import { writeCopies } from "../../src/server/client/write_request.ts";
import { test } from "../runner.ts";

type Range = readonly [first: number, last?: number];

const hidden: Readonly<Record<string, readonly Range[]>> = {
  "C0, DEL and C1 controls": [[0, 0x1f], [0x7f, 0x9f]],
  "direction marks (UAX 9 §2)": [[0x61c], [0x200e, 0x200f], [0x202a, 0x202e], [0x2066, 0x2069]],
  "separators of lines and paragraphs": [[0x2028, 0x2029]],
  "characters without a width": [[0xad], [0x34f], [0x180e], [0x200b, 0x200d], [0x2060, 0x2065], [0xfeff]],
  "letters without a glyph": [[0x115f, 0x1160], [0x17b4, 0x17b5], [0x3164], [0xffa0]],
  "interlinear annotations": [[0xfff0, 0xfffb]],
  "musical and shorthand controls": [[0x1bca0, 0x1bca3], [0x1d173, 0x1d17a]],
  "tags and other ignorable characters": [[0xe0000, 0xe00ff], [0xe01f0, 0xe0fff]],
  "single surrogates": [[0xd800, 0xdfff]],
  "noncharacters (XML 1.0 §2.2)": [[0xfffe, 0xffff], [0xfdd0, 0xfdef], [0x1fffe, 0x1ffff]],
};

function listCharacters([first, last = first]: Range): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}

const escapeOf = (character: string) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;

for (const [kind, ranges] of Object.entries(hidden)) {
  test(`visible: each of the ${kind} is shown as an escape`, () => {
    for (const character of ranges.flatMap(listCharacters)) {
      const escape = escapeOf(character);
      for (const show of [visible, visibleName, quote]) {
        assertEquals(show(`a ${character}b`), `a ${escape}b`);
        assertEquals(show(character + character), escape + escape);
      }
      assertEquals(JSON.parse(escapeHidden(JSON.stringify(character))), character);
      assertMatch(escapeHidden(JSON.stringify(character)), /^"[\x20-\x7e]+"$/);
    }
  });
}

const seen = {
  letters: "Zoë Œuvre Ελλάδα עברית العربية 日本語 한국어 हिन्दी",
  "letters outside of the first plane": "𠮷野家 𝒜",
  "a glyph that a selector chooses": "❤\ufe0f 1\ufe0f\u20e3 葛\u{e0100} \u1820\u180b",
  "wide and fixed spaces": "a\u00a0b\u3000c\u2003d",
  "private letters": "\ue000",
} as const;

for (const [kind, text] of Object.entries(seen)) {
  test(`visible: ${kind} stay as they are`, () => {
    for (const show of [visible, visibleName, quote]) assertEquals(show(text), text);
  });
}

test("visible: marks that look like another spelling of the letter are shown as escapes (UAX 15 §1.2)", () => {
  assertEquals(visible("alice-e\u0301 q\u0301 \u00e9"), "alice-e\\u{301} q\u0301 \u00e9");
  assertEquals(visible("e\u0323\u0302"), "e\\u{323}\\u{302}");
});

test("visible: a selector without a character, or after a space or another selector, is shown as an escape", () => {
  assertEquals(visible("\ufe0f❤\ufe0f\ufe0e\u{e0101}"), "\\u{FE0F}❤\ufe0f\\u{FE0E}\\u{E0101}");
  assertEquals(visible("\u200b\ufe01"), "\\u{200B}\\u{FE01}");
  assertEquals(visible(" \ufe0f\u00a0\ufe0f"), " \\u{FE0F}\u00a0\\u{FE0F}");
});

test("visible: a name keeps the joiners of its language and of emoji, and no others", () => {
  const names = ["می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "❤\ufe0f\u200d🔥"];
  assertEquals(names.map(visibleName), names);
  assertEquals(visibleName("Shop\u200d"), "Shop\\u{200D}");
  assertEquals(visible(names[2]!), "👩\\u{200D}💻");
});

test("visible: a text that is cut keeps its last character whole", () => {
  for (const before of ["", "a"]) {
    const shown = quote(before + "💻".repeat(200));
    assertEquals(shown.isWellFormed(), true);
    assertMatch(shown, /^a?(💻)+…$/u);
  }
});

test("visible: a text of 300 characters and a name of 60 stay whole, and a longer name ends after a late word", () => {
  const text = "x".repeat(300);
  assertEquals([quote(text), quote(`${text}x`)], [text, `${text}…`]);
  const of = (...words: readonly number[]) => words.map((length) => "💻".repeat(length)).join(" ");
  for (const whole of [of(60), of(29, 30)]) assertEquals(shorten(whole), whole);
  const cut: readonly (readonly [name: string, shown: string])[] = [
    [of(61), of(60)],
    [of(60, 1), of(60)],
    [of(31, 30), of(31)],
    [of(31, 0, 30), of(31)],
    [of(30, 31), of(30, 29)],
  ];
  for (const [name, shown] of cut) assertEquals(shorten(name), `${shown}…`);
  assertEquals([24, 25].map((length) => isLongName(of(length))), [false, true]);
});

test("written requests: hidden characters are encoded or left out, for a shell, a program and an editor", () => {
  const text = Object.values(hidden).flat().flatMap(listCharacters).join("-");
  const url = `https://as.test/${text}`;
  const copies = writeCopies({ method: "POST", url, headers: [["x-a", text]], body: text });
  assertEquals(copies.map(({ kind }) => kind), ["curl", "fetch", "http"]);
  for (const copy of copies) assertEquals(visibleLines(copy.text), copy.text, copy.kind);
  const [curl = "", fetching = "", http = ""] = copies.map((copy) => copy.text);
  assertEquals(curl.split("\n").slice(-3).map((line) => /'(.*)'/.exec(line)?.[1]), [
    ...["<url>", "<name>: <value>", "<body>"],
  ]);
  const terms = fetching.slice(fetching.indexOf("{"), fetching.lastIndexOf("}") + 1);
  assertEquals(JSON.parse(terms).body, text);
  const [line = "", header, , body] = http.split("\n");
  assertEquals(decodeURIComponent(line.slice("POST ".length)), url.toWellFormed());
  assertEquals([header, body], ["x-a: <value>", "<body>"]);
});
