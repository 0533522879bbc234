/** What a client shows of itself while the server is right: values that follow from others or may be guessed, and tokens in URLs. */

import { sha256 } from "../../ground/crypto/platform.ts";
import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import { decodeOctets, decodeText, encodeOctets, encodeText } from "../../ground/values/octets.ts";
import { startsLogin } from "./finds.ts";
import { isProtected, listLogins, type Login, loginParameters, type LoginValue } from "./logins.ts";
import type { Seen } from "./seen.ts";

/** The requests of a client in several runs at right servers. */
export type RightRequests = readonly (readonly Seen[])[];

interface Shown {
  /** One sentence. */
  readonly because: string;
  readonly requests: readonly Seen[];
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
    const logins = all.filter((login) =>
      login[name] !== undefined && (name !== "state" || !isProtected(login, all))
    );
    const [shortest] = logins.toSorted((one, other) => one[name]!.length - other[name]!.length);
    if (shortest === undefined) return undefined;
    const { length } = shortest[name]!;
    const symbols = countSymbols(logins.map((login) => login[name]).join(""));
    const bits = boundBits(length, symbols);
    if (bits >= least) return undefined;
    return {
      because: `The ${loginParameters[name]} has ${bits} bits at most, because it has ${length} characters ` +
        `of ${symbols} kinds. It needs ${least}.`,
      requests: shortest.requests,
    };
  };
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
  for (const login of runs.flatMap(listLogins)) {
    for (const [name, value] of startsLogin(login.requests, []).flatMap(listSent)) {
      const how = describeLeak(name, value, login);
      if (how !== undefined) return { because: how, requests: login.requests };
    }
  }
  return undefined;
};

/** Of a pushed request, only the state comes to the browser. */
function listSent({ endpoint, params }: Seen): readonly (readonly [name: string, value: string])[] {
  const inside = Object.entries(parseJwt(params.get("request") ?? "")?.claims ?? {});
  const sent = [...params, ...inside.map(([name, value]) => [name, `${value}`] as const)];
  return endpoint === "par" ? sent.filter(([name]) => name === "state") : sent;
}

// In characters. A shorter text may be in a code_verifier by chance.
const leastText = 8;

function describeLeak(name: string, value: string, { verifier }: Login): string | undefined {
  if (verifier === undefined) return undefined;
  const parts = value.split(".").map((part) => decodeText(part, "base64url"));
  if ([value, ...parts].some((text) => text.includes(verifier))) {
    return `The parameter ${name} of the authorization request has the code_verifier.`;
  }
  if (value.length < leastText || name !== "state" && name !== "nonce") return undefined;
  const hash = sha256(value);
  const forms = {
    "all of it": value,
    "it in base64url": encodeText(value, "base64url"),
    "it in hexadecimal": encodeText(value, "hex"),
    "its SHA-256": hash,
    "its SHA-256 in hexadecimal": encodeOctets(decodeOctets(hash, "base64url"), "hex"),
  };
  const [form] = Object.entries(forms).find(([, text]) => verifier.includes(text)) ?? [];
  return form &&
    `The code_verifier follows from the ${name} in the authorization request, because it contains ${form}.`;
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
