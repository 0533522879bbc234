/** Texts of others: the characters in them that people do not see, and the texts that the server keeps and shows. */

import { isDotSegment } from "./dot_segment.ts";

/**
 * Control characters, direction marks, invisible spaces and letters, line separators, single surrogates, and noncharacters
 * (Unicode 16 §4.5, §5.21). Not a variation selector after a character that is none of these and no space, because
 * that chooses a glyph.
 */
export const hiddenCharacters: RegExp =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}](?<![^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}\p{NChar}]\p{VS})/gu;

/** The same in a name, where U+200C and U+200D belong to the spelling of some words, and U+200D joins emoji. */
export const hiddenInNames: RegExp =
  /(?!(?<=[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d][\p{L}\p{M}\p{N}\p{Extended_Pictographic}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}](?<![^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}\p{NChar}]\p{VS})/gu;

/** Escapes a unit of UTF-16 in a string of JSON (RFC 8259 §7). */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Escapes what JSON allows in a string, but people do not see, or a terminal takes for a control. The JSON keeps its meaning. */
export function escapeHidden(json: string): string {
  // A string of JSON has no line ends, so these stand between values.
  return json.replace(
    hiddenCharacters,
    (each) => each === "\n" ? each : each.split("").map(escapeUnit).join(""),
  );
}

// In characters.
export const longestText = 255;

export const fitText: string = `up to ${longestText} visible characters`;

/** Whether a text is short, and people see each character of it. */
export function isFitText(text: string): boolean {
  return isFit(text, hiddenCharacters);
}

export const fitUsername: string = `${fitText}, and not . or ..`;

/** The same for the name that a person signs in with. Paths of the control plane have it. */
export function isFitUsername(username: string): boolean {
  return isFitText(username) && !isDotSegment(username);
}

/** The same for the name of a person, which may have the joiners of its language. */
export function isFitName(name: string): boolean {
  return isFit(name, hiddenInNames);
}

function isFit(text: string, hidden: RegExp): boolean {
  return text.length <= longestText && text.search(hidden) === -1 && !/[\p{Cs}\p{Co}\p{Cn}]/u.test(text);
}
