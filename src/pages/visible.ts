/** Makes hidden characters of a text visible: control characters, direction marks, invisible spaces. */

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`);
}

const longest = 300;

/** Makes text of a request safe to print: on one line, without control characters, and not too long. */
export function quote(text: string): string {
  const visibleText = visible(text);
  return visibleText.length > longest ? `${visibleText.slice(0, longest)}…` : visibleText;
}
