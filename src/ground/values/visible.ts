/** Makes hidden characters of a text visible, and cuts long texts. */

import { hiddenCharacters, hiddenInNames } from "./hidden_characters.ts";

export function visible(text: string): string {
  return text.replace(hiddenCharacters, escapeCharacter).replace(/\P{M}\p{M}+/gu, escapeMarks);
}

/** A letter and its marks look like one character (Unicode 16 §3.11), from which a card has to tell them. */
function escapeMarks(letter: string): string {
  return letter.normalize("NFC") === letter ? letter : letter.replace(/\p{M}/gu, escapeCharacter);
}

/** The same for a name, in which people need the joiners of their language. */
export function visibleName(name: string): string {
  return name.replace(hiddenInNames, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
}

/** The same as `visible`, for text of more than one line: the ends of its lines stay. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

const longest = 300;

/** Makes text of a request safe to print: on one line, without control characters, and not too long. */
export function quote(text: string): string {
  const visibleText = visible(text);
  if (visibleText.length <= longest) return visibleText;
  // Half of a character is no character.
  return `${visibleText.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The number of characters of a name that a heading or a button shows. */
const longestName = 60;

/** Cuts a long name, if possible after a word, so that it cannot push the rest of a page away. */
export function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= longestName) return name;
  const beginning = characters.slice(0, longestName);
  const end = beginning.lastIndexOf(" ");
  // Without a space near the end, most of the name would be lost.
  return `${beginning.slice(0, end > longestName / 2 ? end : longestName).join("").trimEnd()}…`;
}

export function shortName(name: string): string {
  return shorten(visibleName(name));
}

/** Whether a heading with the name needs several lines. */
export function isLongName(name: string): boolean {
  return [...name].length > 24;
}
