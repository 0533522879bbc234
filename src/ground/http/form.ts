/** Writes the parameters of a query or a form: form-urlencoded UTF-8 (OAuth 2.1 appendix B). */

export type Pair = readonly [name: string, value: string];

export function formatParams(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/** Encodes a name or a value. `encodeURIComponent` throws on a lone surrogate, so the function replaces it. */
function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%20", "+");
}
