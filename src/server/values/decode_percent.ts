/** Decodes percent-encoded text that may be malformed. */

/** Returns `undefined` if the text is not percent-encoded UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
