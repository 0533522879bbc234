/** Makes visible what a hostile text would do unseen: control characters, direction marks, invisible spaces. */

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`);
}

const longest = 300;

/** Whoever sent the request wrote this text: it stays on its line, moves no cursor, and does not fill the screen. */
export function quote(text: string): string {
  const shown = visible(text);
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
