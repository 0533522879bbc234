/** What strangers send and write: one generator of text, and the forms that parsers read, made of it and then damaged. */

import fc from "fast-check";
import { markup, prototypeNames } from "../security/hostile_text.ts";
import { encodePart } from "../../src/ground/crypto/bytes.ts";

type Texts = fc.Arbitrary<string>;

const oddTexts = [
  ...["", " ", "0", "-0", "null", "%", "%00", "%zz", "%2", "\0", "\r\nX: 1", "\n", "\t", "\\", '"', "'", "`"],
  ...["🙂", "\ud83d", "\ude00", "e\u0301", "\uffff", "\ufeff", "\u202e", "\u2028", "\u00a0", "\u0130", "//"],
  ...[
    "../../etc/passwd",
    "' OR 1=1 --",
    "${7*7}",
    "{{x}}",
    "[object Object]",
    "1e309",
    "-1",
    "{}",
    "[]",
    "…",
  ],
  ...[
    "https://evil.example/cb",
    "http://127.0.0.1:1/cb",
    "S256",
    "plain",
    "code token",
    "form_post",
    "openid",
  ],
  ...["[redacted]", "=", "&", "+", "a".repeat(5000), ...markup, ...prototypeNames],
];

/** Any text: of all characters, of few, or an odd one. */
export const text: Texts = fc.oneof(
  ...(["binary", "grapheme", "grapheme-ascii"] as const).map((unit) => fc.string({ unit, maxLength: 20 })),
  fc.constantFrom(...oddTexts),
);
/** Text without single surrogates, which UTF-8 cannot write. */
export const wellFormed: Texts = text.map((each) => each.toWellFormed());
/** VSCHAR (RFC 6749 appendix A). */
export const visible: Texts = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 });
export const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The name of a parameter. */
export const word: Texts = lettersOf("abcdefghijklmnopqrstuvwxyz_", 1, 10).map((each) => `a${each}`);

/** Text of these characters. */
export function lettersOf(letters: string, minLength: number, maxLength: number = minLength): Texts {
  return fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
}

/** Text of these pieces, which spaces separate, and now and then of any text: what a parser nearly reads. */
export function written(pieces: string, ...others: readonly string[]): Texts {
  const usual = fc.constantFrom(...pieces.split(" "), ...others);
  const piece = fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: text });
  return fc.array(piece, { maxLength: 14 }).map((all) => all.join(""));
}

/** The text with up to three pieces cut out or put in. */
export function damaged(whole: Texts): Texts {
  const change = fc.record({ at: fc.nat(), cut: fc.nat(4), put: text });
  return fc.tuple(whole, fc.array(change, { maxLength: 3 })).map(([given, changes]) =>
    changes.reduce((changed, { at, cut, put }) => {
      const start = at % (changed.length + 1);
      return changed.slice(0, start) + put + changed.slice(start + cut);
    }, given)
  );
}

export const octets: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 60 });

export function damagedOctets(whole: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
  return fc.tuple(whole, changes, fc.nat(9)).map(([given, all, cut]) => {
    const octets = new Uint8Array(given);
    for (const [at, octet] of all) octets[at % octets.length] = octet;
    return octets.slice(0, cut < 5 ? octets.length : 5 - cut);
  });
}

export const pairs: fc.Arbitrary<[string, string][]> = fc.array(fc.tuple(fc.oneof(word, text), text), {
  maxLength: 8,
});
const encoded = pairs.map((all) => `${new URLSearchParams(all)}`);
/** A query or a form, well encoded or not. */
export const form: Texts = fc.oneof(encoded, damaged(encoded), written("& = + %20 %C3%A9 % a state ?"));

/** A value of JSON with odd texts as names and values, and objects of which no text can be made. */
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 0.1, { toString: null, valueOf: 1 }),
    text,
    fc.array(tie("value"), { maxLength: 4 }),
    objectOf(tie("value")),
  ),
})).value;

function objectOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.dictionary(fc.oneof(word, text), values, { maxKeys: 4, noNullPrototype: true });
}

export const jsonObject: fc.Arbitrary<Record<string, unknown>> = objectOf(json);
export const jsonText: Texts = fc.oneof(
  damaged(json.map((value) => JSON.stringify(value))),
  written('{ } [ ] , : " 1 - null \\u00 "a"', " ", "\n"),
);

export interface Secret {
  /** How strangers write it. */
  readonly text: string;
  /** The part that must not be seen. */
  readonly hidden: string;
}

const header = fc.record({ alg: fc.constantFrom("ES256", "none", "HS256"), kid: text });
const part = (length: number) => lettersOf(base64url, length);

export const secretToken: fc.Arbitrary<Secret> = fc.oneof(
  fc.tuple(header, jsonObject, part(43), fc.nat(2)).map(([head, claims, hidden, spaces]) => ({
    ...{ hidden, text: `${encodePart(JSON.stringify(head, null, spaces))}.${encodePart(claims)}.${hidden}` },
  })),
  fc.tuple(part(22), part(43)).map(([id, hidden]) => ({ hidden, text: `${id}.${hidden}` })),
  fc.tuple(part(22), fc.nat(99), part(32)).map(([id, count, hidden]) => ({
    ...{ hidden, text: `${id}.${count + 1}.${hidden}.${id}` },
  })),
);

/** JSON of a key, which may be inside of other JSON. */
export const privateKey: fc.Arbitrary<Secret> = fc.tuple(
  part(43),
  fc.constantFrom("d", "p", "q", "dp", "dq", "qi", "k"),
  fc.nat(2),
).map(([hidden, name, depth]) => {
  const key = { kty: "EC", kid: "a", [name]: hidden };
  const around = [key, { keys: [key] }, { jwks: JSON.stringify({ keys: [key] }) }];
  return { hidden, text: JSON.stringify(around[depth]) };
});

export const jwt: Texts = damaged(
  fc.tuple(fc.oneof(header, jsonObject), jsonObject, part(20)).map(([head, claims, signature]) =>
    `${encodePart(head)}.${encodePart(claims)}.${signature}`
  ),
);

const name = fc.oneof(
  ...[fc.domain(), fc.ipV4(), fc.ipV6().map((address) => `[${address}]`)],
  fc.constantFrom("localhost", "a.localhost", "127.0.0.1", "[::1]", "0x7f.1", "as", "a.test", "A.TEST."),
);
const joined = (...parts: readonly Texts[]) => fc.tuple(...parts).map((all) => all.join(""));
/** A host with or without a port. */
export const host: Texts = damaged(joined(name, fc.constantFrom("", ":", ":80", ":65536", ":x")));
const path = written("/ // /. /.. /%2e%2e /a /b.c /~d /%C3%A9 /é ; \\ %2f %00 %zz :");
export const url: Texts = fc.oneof(
  joined(
    fc.constantFrom("http://", "https://", "HTTPS://", "http:/", "ftp://", "com.app:/", ""),
    ...[fc.oneof(name, name, host), path, fc.oneof(fc.constant(""), form.map((query) => `?${query}`))],
    fc.constantFrom("", "#", "#a=b"),
  ),
  damaged(fc.webUrl({ withQueryParameters: true, withFragments: true })),
  written("http: https: / // ? # @ user a.test : 80 [::1] \\ .. %2e é = & \t"),
);

export const headerNames: readonly string[] = [
  ...[
    "authorization",
    "cookie",
    "content-type",
    "content-encoding",
    "accept",
    "origin",
    "sec-fetch-site",
    "dpop",
  ],
  ...[
    "range",
    "if-none-match",
    "host",
    "x-forwarded-host",
    "x-forwarded-for",
    "accept-language",
    "user-agent",
  ],
];
/** Headers that a listener lets in. */
export const headers: fc.Arbitrary<[string, string][]> = fc.array(
  fc.tuple(
    fc.constantFrom(...headerNames),
    text.map((each) => each.replace(/[^\t -~\u0080-\u00ff]/g, "").trim()),
  ),
  { maxLength: 5 },
);
