/** What a client shows of itself while the server is right: values that follow from others or may be guessed, and its tokens. */

import { sayCount } from "../../ground/values/say_count.ts";
import { sha256 } from "../../ground/crypto/platform.ts";
import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import { present } from "../../ground/values/present.ts";
import { decodeOctets, decodeText, encodeOctets, encodeText } from "../../ground/values/octets.ts";
import { countBits, fewestToCount } from "./count_bits.ts";
import { refreshes, startsLogin, usesAccessToken } from "./finds.ts";
import { isProtected, listLogins, type Login, loginParameters, type LoginValue } from "./logins.ts";
import { headerOf, type Seen } from "./seen.ts";

/** The requests of a client in several runs at right servers. */
export type RightRequests = readonly (readonly Seen[])[];

interface Shown {
  /** One sentence. */
  readonly because: string;
  readonly requests: readonly Seen[];
  /** Something else protects the logins, so that it is no fault. */
  readonly isExcused?: true;
  /** The client did too little to show it. */
  readonly isUnseen?: true;
}

/** Returns `undefined` if a client shows nothing wrong. */
export type FindShown = (runs: RightRequests) => Shown | undefined;

/**
 * Finds a value with fewer bits of chance than `least`. A state needs none of its own in a login that a code_verifier or a
 * nonce protects (RFC 9700 §2.1).
 */
export function findShort(name: LoginValue, least: number): FindShown {
  return (runs) => {
    const all = runs.flatMap(listLogins);
    const having = all.filter((login) => login[name] !== undefined);
    const unprotected = having.filter((login) => name !== "state" || !isProtected(login, all));
    const isExcused = unprotected.length === 0;
    const logins = isExcused ? having : unprotected;
    const own = findOwn(having.map((login) => login[name]!));
    const textOf = (login: Login) => own.texts.get(login[name]!)!;
    const [shortest] = logins.toSorted((one, other) => textOf(one).length - textOf(other).length);
    if (shortest === undefined) return undefined;
    const { length } = textOf(shortest);
    const symbols = own.symbols ?? countSymbols(logins.map(textOf).join(""));
    const bound = boundBits(length, symbols);
    const isUuid = bound > bitsOfUuid && hasUuids(name, logins);
    const isCounted = logins.length >= fewestToCount;
    const bits = isUuid ? bitsOfUuid : isCounted ? countBits(logins.map(textOf)) : bound;
    if (bits >= least) return undefined;
    const some = own.symbols === undefined
      ? `has ${sayCount(length, "character")}`
      : `differs in at most ${sayCount(length, "character")}`;
    const why = isUuid
      ? "is a UUID of version 4"
      : isCounted
      ? `has few kinds of characters at its places in ${logins.length} logins`
      : `${some} of ${sayCount(symbols, "kind")}`;
    const has = length === 0
      ? "no chance, because it is the same in each login"
      : `${bits} bits at most, because it ${why}`;
    return {
      because: `The ${loginParameters[name]} has ${has}. ${
        isExcused ? "A code_verifier or a nonce protects the login in its place." : `It needs ${least}.`
      }`,
      requests: shortest.requests,
      ...present({ isExcused: isExcused || undefined }),
    };
  };
}

/** What is left of each value without what all of them share. */
interface Own {
  readonly texts: ReadonlyMap<string, string>;
  /** The size of their alphabet, if they are only parts of the values. */
  readonly symbols?: number;
}

/**
 * The beginning and the end that all values share are data, and no chance. JSON in base64url is decoded first. Random texts may
 * share some characters, too: so many are left that they share more in one of four billion cases.
 */
function findOwn(values: readonly string[]): Own {
  const decoded = values.map((value) => decodeText(value, "base64url"));
  const isJson = decoded.every((text) => parseJsonObject(text) !== undefined);
  const texts = isJson ? decoded : values;
  const all = [...new Set(texts)];
  const others = all.length - 1;
  if (others === 0 && texts.length > 1) return { texts: new Map(values.map((value) => [value, ""])) };
  const start = countShared(all);
  const end = countShared(all.map((text) => reverse(text.slice(start))));
  const symbols = countSymbols(all.map((text) => text.slice(start, text.length - end)).join(""));
  const byChance = Math.ceil(bitsByChance / (others * Math.log2(symbols)));
  const cutStart = Math.max(0, start - byChance);
  const cutEnd = Math.max(0, end - byChance);
  const isCut = cutStart + cutEnd > 0;
  const cut = (text: string) => text.slice(cutStart, text.length - cutEnd);
  return {
    texts: new Map(values.map((value, at) => [value, isCut ? cut(texts[at]!) : value])),
    ...present({ symbols: isCut ? symbols : undefined }),
  };
}

const bitsByChance = 32;

/** Returns how many characters all texts begin with. */
function countShared([first = "", ...others]: readonly string[]): number {
  const length = first.split("").findIndex((each, at) => others.some((other) => other[at] !== each));
  return length === -1 ? first.length : length;
}

/** Six of the 128 bits are fixed (RFC 9562 §5.4). */
const bitsOfUuid = 122;
const uuid = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1(?:4[0-9a-f]{3})\1[89ab][0-9a-f]{3}\1[0-9a-f]{12}$/i;

/**
 * Whether the value is a UUID in each login. Without hyphens, one of 64 hexadecimal numbers has this form by chance, so all
 * of the four or more that the client has sent must have it.
 */
function hasUuids(name: LoginValue, logins: readonly Login[]): boolean {
  if (!logins.every((login) => uuid.test(login[name] ?? ""))) return false;
  if (logins.every((login) => login[name]?.includes("-"))) return true;
  const parts = logins.flatMap(({ state, nonce, verifier }) =>
    [state, nonce, verifier].flatMap((value) => value?.match(/[0-9a-f]{32}/gi) ?? [])
  );
  return parts.length >= 4 && parts.every((part) => uuid.test(part));
}

/** The most bits of chance that a text of this length can have. The client may have used fewer. */
export function boundBits(length: number, symbols: number): number {
  return Math.floor(length * Math.log2(symbols));
}

/**
 * Returns how many characters the alphabet of a text has. It is that of digits, hexadecimal numbers, digits with letters
 * of one case or of both, and what stands between them: never a smaller one that a random text may have by chance.
 */
export function countSymbols(text: string): number {
  const letters = /[a-z]/.test(text) && /[A-Z]/.test(text) ? 62 : /[g-z]/i.test(text) ? 36 : 16;
  const others = !/[^0-9a-z]/i.test(text) ? 0 : !/[^-\w]/.test(text) ? 2 : !/[^-.~\w]/.test(text) ? 4 : 33;
  return (/[a-z]/i.test(text) ? letters : 10) + others;
}

/** Finds a code_verifier that is in the authorization request, or that follows from it. */
export const findShownVerifier: FindShown = (runs) => {
  const logins = runs.flatMap(listLogins);
  for (const login of logins) {
    const has = listShown(login).find(([name, value]) => isIn(login, name, value));
    if (has !== undefined) {
      const because = `The parameter ${has[0]} of the authorization request has the code_verifier.`;
      return { because, requests: login.requests };
    }
  }
  return findMade(logins.flatMap(listMade));
};

/** Of a pushed request, only the state comes to the browser. */
function listSent({ endpoint, params }: Seen): readonly (readonly [name: string, value: string])[] {
  const inside = Object.entries(parseJwt(params.get("request") ?? "")?.claims ?? {});
  const sent = [...params, ...inside.map(([name, value]) => [name, `${value}`] as const)];
  return endpoint === "par" ? sent.filter(([name]) => name === "state") : sent;
}

function listShown({ requests }: Login): ReturnType<typeof listSent> {
  return startsLogin(requests, []).flatMap(listSent);
}

/** The method plain breaks RFC 7636 §4.2, which the server refuses, and which `metadata.pkce_plain_only` is about. */
function isIn({ verifier }: Login, name: string, value: string): boolean {
  if (verifier === undefined || name === "code_challenge") return false;
  const parts = value.split(".").map((part) => decodeText(part, "base64url"));
  return [value, ...parts].some((text) => text.includes(verifier));
}

/** A code_verifier that has a form of a text in it. */
interface Made {
  readonly login: Login;
  /** The text and its form: "the SHA-256 of client_id:state". */
  readonly of: string;
  /** The code_verifier without it. */
  readonly rest: string;
}

/** The parameters of which a client makes other values. */
const sources: readonly string[] = ["client_id", "redirect_uri", "state", "nonce"];
const separators: readonly string[] = ["", ":", "+", ".", "-", "_", "|", "/"];

/** How a client writes a text without any chance of its own. */
function listForms(text: string): Readonly<Record<string, string>> {
  const backwards = reverse(text);
  const hash = sha256(text);
  return {
    "%": text,
    "% backwards": backwards,
    "% in base64url": encodeText(text, "base64url"),
    "% in hexadecimal": encodeText(text, "hex"),
    "% backwards in base64url": encodeText(backwards, "base64url"),
    "% backwards in hexadecimal": encodeText(backwards, "hex"),
    "the SHA-256 of %": hash,
    "the SHA-256 of % in hexadecimal": encodeOctets(decodeOctets(hash, "base64url"), "hex"),
  };
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}

/**
 * A code_verifier with chance of its own keeps it in what is left of it: a text that it contains by accident leaves something,
 * and two code_verifiers never leave the same.
 */
function findMade(all: readonly Made[]): Shown | undefined {
  const leavesSame = ({ login, rest }: Made) => (other: Made) =>
    other.rest === rest && other.login.verifier !== login.verifier;
  const found = all.find((made) => made.rest === "" || all.some(leavesSame(made)));
  return found && {
    because: `The code_verifier follows from the authorization request, because it is made of ${found.of}.`,
    requests: found.login.requests,
  };
}

function listMade(login: Login): readonly Made[] {
  const { verifier } = login;
  if (verifier === undefined) return [];
  const values = listShown(login).filter(([name]) => sources.includes(name));
  return listTexts([...new Map(values)]).flatMap(([name, text]) =>
    Object.entries(listForms(text)).flatMap(([form, written]): readonly Made[] => {
      const made = { login, of: form.replace("%", name) };
      // A client may cut a text that is too long.
      if (written.includes(verifier)) return [{ ...made, rest: "" }];
      return verifier.includes(written) ? [{ ...made, rest: verifier.replaceAll(written, "") }] : [];
    })
  );
}

type Text = readonly [name: string, text: string];

/** Returns each value, and then two or more of them in each order, joined by each separator. */
function listTexts(values: readonly Text[]): readonly Text[] {
  const orders = listOrders(values).filter(({ length }) => length > 1)
    // A verifier of two values is also a part of a text of four.
    .toSorted((one, other) => one.length - other.length);
  const joined = orders.flatMap((order) =>
    separators.map((by): Text => [
      order.map(([name]) => name).join(by || " and "),
      order.map(([, text]) => text).join(by),
    ])
  );
  return [...values, ...joined];
}

/** Returns some or all of the values, in each order. */
function listOrders(values: readonly Text[]): readonly (readonly Text[])[] {
  return values.flatMap((first) => [
    [first],
    ...listOrders(values.filter((each) => each !== first)).map((others) => [first, ...others]),
  ]);
}

/** Finds requests that have a token of the server in their URL. The parameter id_token_hint is made for it. */
export function findInUrl(member: "access_token" | "id_token"): FindShown {
  return (runs) => {
    const found = runs.flatMap((run) => {
      const tokens = new Set(
        run.map(({ entry: { response } }) => parseJsonObject(response.body ?? "")?.[member]),
      );
      return run.filter(({ entry: { request } }) =>
        [...new URLSearchParams(request.query)].some(([name, value]) =>
          name !== "id_token_hint" && tokens.has(value)
        )
      );
    });
    const [first] = found;
    return first && {
      because: `The URL of ${first.entry.request.method} ${first.endpoint} has the ${
        member === "id_token" ? "ID token" : "access token"
      } in it.`,
      requests: found.slice(0, 1),
    };
  };
}

/**
 * Finds a refresh token that the client sends although it has used the answer with the next one. Two callers may send one at
 * the same time, so a use of the new access token has to come between.
 */
export const findKeptRefreshToken: FindShown = (runs) => {
  const all = runs.map((run) => refreshes(run, []));
  for (const [index, found] of all.entries()) {
    const kept = found.find((seen, at) =>
      found.slice(0, at).some((earlier) => isReplaced(earlier, seen) && isUsed(earlier, seen, runs[index]!))
    );
    if (kept !== undefined) {
      return {
        because: "The client sent the old refresh token again after it had got the next one.",
        requests: found.slice(0, found.indexOf(kept) + 1),
      };
    }
  }
  return all.some((found) => found.length > 1) ? undefined : {
    because:
      "The client refreshed once, so nothing shows which refresh token it keeps: let its run refresh twice.",
    requests: all.flat(),
    isUnseen: true,
  };
};

const isReplaced = ({ params, entry: { response } }: Seen, later: Seen): boolean => {
  const { refresh_token: next } = parseJsonObject(response.body ?? "") ?? {};
  const token = params.get("refresh_token");
  return typeof next === "string" && next !== token && later.params.get("refresh_token") === token;
};

/** Whether a request with the access token of an answer came before a later request. */
const isUsed = ({ entry: { response } }: Seen, later: Seen, run: readonly Seen[]): boolean => {
  const { access_token: token } = parseJsonObject(response.body ?? "") ?? {};
  return usesAccessToken(run, []).some((seen) =>
    headerOf(seen, "authorization")?.endsWith(` ${token}`) === true &&
    seen.entry.receivedAt < later.entry.receivedAt
  );
};
