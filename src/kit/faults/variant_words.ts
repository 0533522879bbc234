/** Says in words which variant of a misbehaviour a run met, so that a title says no more than what failed. */

import { listVariants, type MisbehaviourName, publicKeyForms } from "./names.ts";

/** What precedes the words of a variant, where the sentence of the misbehaviour lists the variants. */
const beginnings: { readonly [Name in MisbehaviourName]?: string } = {
  "metadata.authorization_endpoint_script":
    "The authorization endpoint in the metadata runs code in a careless client",
  "authorization_response.return_page_foreign": "A foreign page is named as the page after the login",
  "authorization_response.state_similar": "The state of the response resembles that of the request",
  "authorization_response.state_twice": "The authorization response has two states",
  "token_response.token_type_unknown": "The token_type of the token response is not the usual one",
  "id_token.aud_empty": "The aud of the ID token names no client",
  "id_token.exp_past": "The ID token has expired",
  "id_token.hs256_alg_unpublished":
    "The published keys have no alg, and the ID token is signed with HS256, which names one of them",
  "id_token.hs256_with_public_key": "The ID token is signed with HS256",
  "id_token.iss_part": "The iss of the ID token is a part of the issuer",
  "userinfo.sub_similar": "The sub of userinfo resembles that of the ID token",
  "userinfo.unreadable": "The response of userinfo has the status 200, and is no JSON object",
  "access_token.audience_empty": "The aud of the access token names no API",
  "access_token.audience_wrong": "The aud of the access token is another API",
  "access_token.expired": "The access token has expired",
  "access_token.hs256_alg_unpublished":
    "The access token is signed with HS256 and names a new key without alg",
  "access_token.hs256_alg_unpublished_other_type":
    "The access token is signed with HS256 and names a key of another type without alg",
  "access_token.hs256_with_public_key": "The access token is signed with HS256",
  "access_token.huge": "The access token is a long text",
  "access_token.key_by_url": "The header of the access token has a URL of a foreign server",
  "access_token.kid_odd": "The HMAC key of the access token is what a careless look-up of its kid would find",
  "access_token.kid_unusual": "The kid of the access token names no key of the server",
  "access_token.similar_to_accepted": "The access token resembles a right one that the API has just got",
  "access_token.two_issuers_one_kid":
    "The access token is of the right issuer, and the API has just got one of a foreign issuer with the same key",
  "access_token.unreadable": "No server issued the access token",
  "proof.token_hash_wrong": "The ath of the proof is not the hash of the token",
  "resource.description_mismatch": "The metadata at the address of the API is of another API",
  "transport.length_wrong": "The Content-Length of the token response is wrong, and the code is used",
};

/** Neighbours of a right value, whatever the value is. `another` needs no words of its own. */
const ofNeighbours: Readonly<Record<string, string>> = {
  suffix: "the right one with more text after it",
  prefix: "the right one with more text before it",
  part: "the right one without its end",
  capitals: "the right one in another case",
  white_space: "the right one with a space after it",
  encoded: "the right one in percent-encoding",
  similar_host: "the right one with a hyphen in place of a dot",
};

const ofAlgs: Readonly<Record<string, string>> = {
  none: "its alg is none",
  capitalized: "its alg is None",
  mixed_case: "its alg is NoNe",
  white_space: "its alg is none after a space",
  unknown: "its alg is unknown",
  empty: "its alg is empty",
};

const ofPublicKey: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    publicKeyForms.map((form) => [form, `the secret is the public key of the server (${form})`]),
  ),
  empty: "the secret is empty",
};

const ofKid: Readonly<Record<string, string>> = {
  file_empty: "the kid is the path of an empty file",
  file_known: "the kid is the path of a file with known content",
  query: "the kid is an SQL text",
  prototype: "the kid is __proto__",
  constructor: "the kid is constructor",
  empty: "the kid is empty",
  long: "the kid is long",
};

const ofRows: { readonly [Name in MisbehaviourName]?: Readonly<Record<string, string>> } = {
  "login.email_unverified": { false: "email_verified is false", absent: "email_verified is absent" },
  "metadata.authorization_endpoint_script": {
    javascript: "a javascript: URL that calls a foreign server",
    shell: "its path has a command for a shell",
  },
  "authorization_response.return_page_foreign": {
    state: "in the state of the response",
    page: "in the link to the login",
    page_without_scheme: "in the link to the login, without its scheme",
  },
  "authorization_response.state_changed": { first_character: "only its first character differs" },
  "authorization_response.state_twice": {
    wrong_last: "first the right one, and last a wrong one",
    wrong_first: "first a wrong one, and last the right one",
    equal: "the right one twice",
  },
  "token_response.token_type_unknown": { another: "it is mac" },
  "id_token.aud_empty": { empty_list: "it is an empty list", empty_text: "it is a list of one empty text" },
  "id_token.hs256_alg_unpublished": ofPublicKey,
  "id_token.hs256_with_public_key": ofPublicKey,
  "id_token.iss_part": { shorter: "the issuer without its last character", scheme: "only its scheme" },
  "userinfo.sub_similar": { normalization: "the right one in another Unicode normalization" },
  "userinfo.unreadable": { truncated: "half of the JSON", html: "an HTML page", list: "a list" },
  "access_token.audience_empty": { list: "it is an empty list", text: "it is a list of one empty text" },
  "access_token.hs256_alg_unpublished": ofPublicKey,
  "access_token.hs256_alg_unpublished_other_type": ofPublicKey,
  "access_token.hs256_with_public_key": ofPublicKey,
  "access_token.huge": { dots_60k: "60,000 dots", dots_1m: "a million dots" },
  "access_token.issuer_part": {
    shorter: "the issuer without its last character",
    scheme: "only its scheme",
  },
  "access_token.key_by_url": {
    jku: "jku, where the key should be loaded",
    x5u: "x5u, where the certificate of the key should be loaded",
  },
  "access_token.kid_odd": ofKid,
  "access_token.kid_unusual": ofKid,
  "access_token.scope_missing": { absent: "it has no scope" },
  "access_token.signature_alphabet": { exclamation_mark: "an exclamation mark", backslash: "a backslash" },
  "access_token.similar_to_accepted": {
    signature: "it has another signature",
    claims: "it has other claims at its end",
  },
  "access_token.two_issuers_one_kid": {
    equal: "both have the same kid",
    joined: "the issuers and the kids are equal if they are written one after the other",
  },
  "access_token.unreadable": { text: "it is a random text", dots: "it is 4,000 dots" },
  "proof.token_hash_wrong": { another: "it is the hash of another token" },
  "resource.servers_private": {
    ipv4: "its IPv4 address",
    ipv6: "its IPv6 address",
    ipv4_in_ipv6: "its IPv4 address, written as an IPv6 address",
    name: "localhost",
  },
  "transport.length_wrong": {
    greater: "it is greater than the response",
    smaller: "it is smaller than the response",
  },
};

/** Variants that mean the same wherever they are. */
const ofAll: Readonly<Record<string, string>> = {
  ...ofNeighbours,
  unnamed: "it has no kid",
  kid_of_server: "its kid is that of the server's key",
  slash: "a final slash",
  long_ago: "long ago",
  hour_ago: "an hour ago",
};

/** Returns the sentence of a misbehaviour, which may list its variants, for one variant alone. */
export function describeVariant(
  name: MisbehaviourName,
  sentence: string,
  variant: string | undefined,
): string {
  if (variant === undefined || !listVariants(name).includes(variant)) return sentence;
  const [beforeAlgs, algs] = sentence.split(", and its alg is none, in ");
  const own = algs === undefined ? ofRows[name] : ofAlgs;
  const words = own?.[variant] ?? ofAll[variant];
  const [beforeSpellings] = beforeAlgs!.split(": a final slash, ");
  const beginning = beginnings[name] ?? beforeSpellings!;
  return words === undefined ? beginning : `${beginning}: ${words}`;
}
