/** Makes visible what a hostile text would do unseen: control characters, direction marks, invisible spaces. */

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`);
}
