/** Which texts of others the server keeps, shows, and copies into its tokens. */

import { hiddenCharacters, hiddenInNames } from "./hidden_characters.ts";

// In characters.
export const longestText = 255;

/** What a text must be, for an error. */
export const fitText: string = `up to ${longestText} visible characters`;

/** Whether a text is short, and people see each character of it. */
export function isFitText(text: string): boolean {
  return isFit(text, hiddenCharacters);
}

/** The same for the name of a person, which may have the joiners of its language. */
export function isFitName(name: string): boolean {
  return isFit(name, hiddenInNames);
}

function isFit(text: string, hidden: RegExp): boolean {
  return text.length <= longestText && text.search(hidden) === -1 && !/[\p{Cs}\p{Co}\p{Cn}]/u.test(text);
}
