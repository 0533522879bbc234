/** Reads what a person searches for. */

// In characters.
export const longestSearch = 200;

/** `query`: that of an address. Empty: the person searches for nothing. */
export function readSearch(query: URLSearchParams): string {
  return (query.get("q") ?? "").trim().slice(0, longestSearch);
}
