/** Finds misbehaviours by the words that people use: "expired" is exp_past, "wrong audience" is aud_wrong. */

import { nearest } from "../../ground/schema/nearest.ts";

/** Words that mean the same in names and in what people say. A word may stand in several lines. */
const sameWords: readonly string[] = [
  // claims, headers and members
  "exp expired expiry expires expiration lifetime",
  "iat issued issuance",
  "nbf before",
  "iss issuer issuers",
  "aud audience audiences recipient",
  "sub subject user person",
  "azp authorized party",
  "acr assurance",
  "amr methods factor factors",
  "jti id",
  "time age",
  "typ type",
  "alg algorithm algorithms",
  "kid keyid",
  "crit critical extension",
  "key keys jwk jwks keyset",
  "hs256 hmac symmetric secret",
  "hs256 confusion",
  "signature sig signed signing unsigned",
  "none alg unsigned",
  "enc encryption encrypted",
  "nonce replay",
  "state csrf",
  "cnf confirmation thumbprint bound binding",
  "hash ath",
  "scope scopes permission permissions",
  "uri uris url address",
  // where
  "metadata discovery configuration",
  "authorization callback",
  "response answer",
  "token tokens jwt",
  "access bearer",
  "userinfo profile",
  "pkce verifier",
  "pkce challenge",
  "refresh renew renewal",
  "revocation revoke revoked",
  "introspection introspect",
  "logout signout backchannel sign out",
  "login signin sign",
  "registration register dcr",
  "document cimd",
  "pushed par",
  "dpop proof",
  "mtls certificate cert tls",
  "resource api mcp protected",
  "transport network connection",
  "exchange delegation",
  // what is wrong
  "wrong other foreign bad invalid incorrect different mismatch mismatched unexpected changed another",
  "tampered changed modified altered manipulated bad",
  "missing absent without no omitted lacking lost unset",
  "empty blank",
  "null empty",
  "expired past old outdated stale lapsed ago",
  "future ahead early yet",
  "unknown unregistered unpublished unrecognized unsupported extra odd",
  "unknown wrong",
  "unregistered mismatch",
  "twice duplicate duplicated double repeated two several many multiple",
  "repeated replayed replay reused reuse again same",
  "rotated rotates rotation replaced rollover moved withdrawn new",
  "huge large long big bomb oversized deeply",
  "short weak small",
  "less narrower reduced partial fewer smaller downgraded",
  "more extra wider broader bigger escalated",
  "part partial prefix substring incomplete",
  "slash trailing",
  "case capitals uppercase lowercase",
  "text string",
  "number numeric integer",
  "array list",
  "order reordered shuffled",
  "utf8 encoding charset unicode",
  "html page markup xss",
  "script javascript xss",
  "http insecure plaintext unencrypted",
  "plain plaintext",
  "embedded header inline",
  "jku url",
  "redirect redirects redirected moved",
  "mix mixup attack",
  "impostor impersonation fake",
  "injected injection swapped stolen",
  "denied cancelled canceled rejected",
  "refused refuses rejected fails denied",
  "inactive revoked dead",
  "silent never answers timeout hangs hang unresponsive stalled slow down",
  "slow delayed late latency",
  "unavailable 503 down outage",
  "500 internal crash",
  "many 429 throttled limited rate",
  "unauthorized 401",
  "lost dropped broken cut",
  "truncated cut half incomplete unreadable malformed garbage",
  "unreadable garbled malformed garbage corrupt",
  "cacheable cache cached caching",
  "compressed gzip zip",
  "length size",
  "endless loop forever infinite",
  "private leaked secret",
  "beside also and both",
];

// Words of the grammar, which people say often.
const unread: readonly string[] = ["a", "an", "the", "of", "in", "is", "with", "for", "has", "by", "to"];

const isRead = (word: string) => !unread.includes(word);

/** Finds the names that say each of the words, the most similar ones first. */
export function findByWords<Name extends string>(text: string, names: readonly Name[]): readonly Name[] {
  return rank(text, names, (word) => word).flatMap(({ name, isWhole }) => isWhole ? [name as Name] : []);
}

const mostSuggestions = 5;

/** Returns a sentence for an error, which begins with a full stop, or no text if no name is similar. Corrects slips. */
export function suggestMisbehaviour(given: unknown, known: readonly string[]): string {
  if (typeof given !== "string") return "";
  const found = rank(given, known, correct)
    .filter(({ heard, said }, _at, [best]) => heard === best!.heard && said === best!.said);
  const similar = nearest(given, known);
  const names = found.length > 0 ? found.map(({ name }) => name) : similar === undefined ? [] : [similar];
  const shown = names.slice(0, mostSuggestions);
  if (shown.length === 0) return "";
  return `. Did you mean ${[shown.slice(0, -1).join(", "), shown.at(-1)].filter(Boolean).join(" or ")}?`;
}

interface Named {
  readonly name: string;
  /** The words of its area and of its fault. */
  readonly words: readonly string[];
  readonly fault: readonly string[];
}

interface Found {
  readonly name: string;
  /** How many of the given words the name says, and whether these are all. */
  readonly heard: number;
  readonly isWhole: boolean;
  /** The share of the name that the given words say, without its area. */
  readonly said: number;
  /** How many of the given words are those of the name. */
  readonly same: number;
}

/** If the text begins with an area, only its names are ranked. A word about an area alone is not enough. */
function rank(
  text: string,
  names: readonly string[],
  read: (word: string, known: ReadonlySet<string>) => string,
): readonly Found[] {
  const all = names.map((name): Named => {
    const parts = name.split(".").map((part) => part.split("_").filter(isRead));
    return { name, words: parts.flat(), fault: parts.at(-1)! };
  });
  const given = readWords(text, all, read);
  const [area] = text.split(".", 1);
  const ofArea = text.includes(".") ? all.filter(({ name }) => name.startsWith(`${area}.`)) : [];
  return (ofArea.length > 0 ? ofArea : all).flatMap(({ name, words, fault }): readonly Found[] => {
    const said = fault.filter((each) => given.some(({ meanings }) => meanings.has(each))).length;
    if (said === 0) return [];
    const heard = given.filter(({ meanings }) => words.some((each) => meanings.has(each))).length;
    const same = given.filter(({ word }) => words.includes(word)).length;
    return [{ name, heard, isWhole: heard === given.length, said: said / fault.length, same }];
  }).toSorted((left, right) => right.heard - left.heard || right.said - left.said || right.same - left.same);
}

// In characters. A person may send a long text, and a short word is similar to too many others.
const longest = 100, shortest = 4;

function correct(word: string, known: ReadonlySet<string>): string {
  return known.has(word) || word.length < shortest ? word : nearest(word, [...known]) ?? word;
}

/** Returns the words of the text, each with all that mean the same. */
function readWords(
  text: string,
  names: readonly Named[],
  read: Parameters<typeof rank>[2],
): readonly { readonly word: string; readonly meanings: ReadonlySet<string> }[] {
  const lines = sameWords.map((line) => line.split(" "));
  const known = new Set([...lines, ...names.map(({ words }) => words)].flat());
  const spaced = text.slice(0, longest).replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
  return (spaced.toLowerCase().match(/[a-z\d]+/g) ?? []).filter(isRead).map((given) => {
    const word = read(given, known);
    return { word, meanings: new Set([word, ...lines.filter((line) => line.includes(word)).flat()]) };
  });
}
