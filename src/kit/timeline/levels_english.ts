/** The English words for what a standard says about a wrong answer. The inspector and the misbehaviours have the same. */

/** How strongly a standard obliges the reader of a wrong answer, as the catalogue of misbehaviours says. */
export type LevelName = "must" | "should" | "tolerate" | "robustness" | "hardening";

/** Who reads a wrong answer: the client, or an API that gets a wrong access token. */
export type Reader = "client" | "api";

export type LevelWords = Readonly<Record<Reader, Readonly<Record<LevelName, string>>>>;

export const englishLevels: LevelWords = {
  client: {
    must: "The client must notice",
    should: "The client should notice",
    tolerate: "The server is only unusual, and the client has to go on",
    robustness: "A correct client goes on, but no standard says so",
    hardening: "It is wise to notice, but no standard says so",
  },
  api: {
    must: "The API must notice",
    should: "The API should notice",
    tolerate: "It is only unusual, and the API has to accept it",
    robustness: "A correct API accepts it, but no standard says so",
    hardening: "It is wise for the API to notice, but no standard says so",
  },
};
