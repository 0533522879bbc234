/** Checks the characters of the control plane's token. */

/** Whether the token has only characters that a bearer token may have in a header (RFC 6750 §2.1). */
export function isControlToken(token: string): boolean {
  return /^[\w.~+/-]+=*$/.test(token);
}

/** Describes the allowed characters in errors, after "must be". */
export const controlTokenForm = "letters, digits and the characters - . _ ~ + / only";
