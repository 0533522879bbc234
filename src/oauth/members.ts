/** JSON objects that the server reads and writes: members of an answer, claims of a token. */

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;
/** The claims of a token, or of what is said about a person. */
export type Claims = Readonly<Record<string, unknown>>;
