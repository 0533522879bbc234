/** The form of client ids. */

/** In characters. Every store accepts ids of this length. */
const longest = 1000;

/** The form of a client_id, for refusals. */
export const clientIdForm: string = `up to ${longest} characters of printable ASCII, and not blank`;

/** Whether a text can be a client_id: printable ASCII (RFC 6749 appendix A.1), not blank and not too long. */
export function isClientId(text: string): boolean {
  return text.length <= longest && /^[\x20-\x7e]+$/.test(text) && text.trim() !== "";
}

/**
 * Whether a text begins like an http(s) URL. Such an id belongs to a client with a metadata document, and to no other.
 * Parsers also read `https:host/path` and `https:\\host` as URLs, and skip what a person does not see at the beginning.
 */
export function isUrlId(text: string): boolean {
  return /^[^\x21-\x7e]*https?:/i.test(text);
}
