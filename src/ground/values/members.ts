/** Types for JSON objects that the server reads and writes. */

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;
/** The claims of a token, or claims about a person. */
export type Claims = Readonly<Record<string, unknown>>;
