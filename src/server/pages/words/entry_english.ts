/** The English words of the entry: everything about one request. */

import type { BrowserResult } from "../inspector/exchange_props.ts";
import { type ByName, byName } from "./by_name.ts";

/** What a browser gets, as a sentence. */
const resultWords: Readonly<Record<BrowserResult, string>> = {
  page: "The browser got a page.",
  sign_in: "The page asks the person to sign in.",
  account: "The page asks the person to choose an account.",
  consent: "The page asks the person for consent.",
  next: "The browser was sent to the next step.",
  code: "The browser brings a code to the client.",
  error: "The browser brings an error to the client.",
};

/** What an endpoint gave, as a sentence. A Map, because other code names the endpoints. */
const givenWords: ByName = byName({
  par: "It gave the client a request_uri for the authorization request.",
  register: "It registered the client.",
  userinfo: "It gave the claims of the person.",
  revoke: "The token has ended, or there was none.",
  jwks: "It gave the public keys.",
  metadata: "It gave the discovery document.",
  introspect: "It told the caller about the token.",
});

/** Returns text such as `an access token for 1 h, a refresh token and an ID token`. */
function listTokens(names: readonly string[], life: string | undefined): string {
  const lifetime = life === undefined ? "" : ` for ${life}`;
  const tokens = [
    ...(names.includes("access_token") ? [`an access token${lifetime}`] : []),
    ...(names.includes("other_token") ? [`a token${lifetime} that is no access token`] : []),
    ...(names.includes("refresh_token") ? ["a refresh token"] : []),
    ...(names.includes("id_token") ? ["an ID token"] : []),
  ];
  const last = tokens.pop() ?? "an answer";
  return tokens.length === 0 ? last : `${tokens.join(", ")} and ${last}`;
}

export const englishEntry = {
  /** The list of the inspector, with its filter. */
  back: "Back to the list",
  copyCurl: "Copy as curl",
  /** What was copied. */
  copied: " curl",
  copiedRedacted: " curl, without codes and tokens",
  results: resultWords as Readonly<Record<BrowserResult, string>>,
  given: givenWords as ByName,
  answered: (status: number): string => `It was answered with ${status}.`,
  tokens: (names: readonly string[], life: string | undefined, scope: string | undefined): string =>
    `It gave ${listTokens(names, life)}${scope === undefined ? "" : `, with the scope ${scope}`}.`,
  passedOn: "The test answers this request itself.",
  /** The requests of the same login. */
  steps: "Requests of this login",
  compareBefore: (token: string): string => `Compare ${token} with the one before`,
  earlierSteps: (number: number): string => `${number} earlier`,
  laterSteps: (number: number): string => `${number} later`,
  tabs: {
    label: "Views of this request",
    explained: "Explained",
    raw: "Raw",
    tokens: "Tokens",
    curl: "As curl",
  },
  filterBy: "Find others by",
  meaning: "Meaning",
  /** After the beginning of a token. */
  whole: (length: number): string => `${length.toLocaleString("en")} characters, whole below Tokens`,
  carriedBy: { request: "in the request", response: "in the response" },
};
