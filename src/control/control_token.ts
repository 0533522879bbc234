/** The form of the control plane's token. */

/** RFC 6750 §2.1: the characters of a bearer token in a header. */
export function isControlToken(token: string): boolean {
  return /^[\w.~+/-]+=*$/.test(token);
}

/** Continues "it must be". */
export const controlTokenForm = "letters, digits and - . _ ~ + / alone";
