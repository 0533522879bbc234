/** Characters that people do not see: control characters, direction marks, invisible spaces, line separators. */

export const hiddenCharacters: RegExp = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The same in a name. Inside a word, U+200C and U+200D belong to the spelling of some languages, and U+200D joins
 * emoji.
 */
export const hiddenInNames: RegExp =
  /(?!(?<=[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d][\p{L}\p{M}\p{N}\p{Extended_Pictographic}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
