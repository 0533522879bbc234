/** The control plane's token: the environment variable that has it, its characters, and its length. */

/** Whether a header can have it as bearer token (RFC 6750 §2.1). */
export function isControlToken(token: string): boolean {
  return /^[\w.~+/-]+=*$/.test(token);
}

/** What an error says after "must be". */
export const controlTokenForm = "letters, digits and the characters - . _ ~ + / only";

/** An alternative to the flag, because other users of this machine can read a command line. */
export const controlTokenVariable = "POSTERN_CONTROL_TOKEN";

// In characters. A caller on another machine must not be able to guess a token.
export const shortestToken = 16;
