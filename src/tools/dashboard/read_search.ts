/** Reads what a person searches for. */

// In characters.
export const longestSearch = 200;

/** A field that finds the login of a token must not cut it. */
export const longestPasted = 8_000;

/** `query`: that of an address. Empty: the person searches for nothing. */
export function readSearch(query: URLSearchParams): string {
  return (query.get("q") ?? "").trim().slice(0, longestSearch);
}
