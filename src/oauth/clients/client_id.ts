/** The form of client ids. */

/** Whether a text can be a client_id: printable ASCII (RFC 6749 appendix A.1), and not blank. */
export function isClientId(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text) && text.trim() !== "";
}

/** Whether a text is an http(s) URL. Such an id belongs to a client with a metadata document, and to no other. */
export function isUrlId(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
