/** What a terminal, a reader of lines or the log of a CI system would obey in a text of others. */

import { hiddenCharacters } from "../../src/ground/values/hidden_characters.ts";

/** Texts that programs print, or that come in requests. */
export const hostileLines: readonly string[] = [
  "\x1b\x1b[31m[2J\x1b[31",
  "\x1b]52;c;ZXZpbA==\x07 \x1b]8;;https://evil.test\x1b\\link\x9b2J\x9d0;title\x9c",
  "safe\rhidden \b\b\b\x7f\x00\x0b\x0c",
  "\u202egnp.exe\u2066 \u061c\u200e\u200f",
  "one\u2028two\u2029three\x85four",
  "zero\u200bwidth\ufeff\u2060\u00ad\u180e",
  "tag\u{e0041}\u{e0000}\u{e0001} \u3164\u{e0100}",
  "::stop-commands::x",
  "  ::error file=a.js,line=1::wrong",
  "\u00a0\u3000::add-mask::a",
  "\ufeff\u200b::warning::hidden",
  "#\ufe0f#[error]selected :\ufe0f:",
  ":\ufe0f:error::selected",
  " \ufe0f::error::selected",
  "##[error]red and ##[group]folded",
  "##vso[task.setvariable variable=a]b ##teamcity[testStarted name='a']",
  "word ##[add-matcher]x\r::debug::y",
];

/** Returns the hidden characters of a text, except the ends of its lines. */
export function findHidden(text: string): readonly string[] {
  return (text.replaceAll("\n", "").match(hiddenCharacters) ?? []).map((each) =>
    each.codePointAt(0)!.toString(16)
  );
}

/**
 * Returns the lines that the runner of GitHub Actions obeys: commands stand after white space at the begin of a line, and
 * those of the first version anywhere in it. Azure Pipelines and TeamCity have other names.
 */
export function findCommands(text: string): readonly string[] {
  // A program in .NET ends lines at CR and LF, its white space is also NEL, and its comparisons skip ignorable characters.
  return text.split(/\r\n|\r|\n/).filter((line) =>
    /^[\s\x85]*::.*::|##\w*\[/.test(line.replace(/\p{DI}/gu, ""))
  );
}
