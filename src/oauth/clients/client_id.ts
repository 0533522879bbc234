/** The form of client ids. */

/** Whether a text can be a client_id: printable ASCII (RFC 6749 appendix A.1), and not blank. */
export function isClientId(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text) && text.trim() !== "";
}
