/** What the control's token may look like. */

/** RFC 6750 §2.1: what a header can hold as it is. */
export function isControlToken(token: string): boolean {
  return /^[\w.~+/-]+=*$/.test(token);
}

/** Continues "it must be". */
export const controlTokenForm = "letters, digits and - . _ ~ + / alone";
