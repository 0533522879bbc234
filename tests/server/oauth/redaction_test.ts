/** Each kind of secret is hidden in a text that has no other sign of one. */
import { assertEquals } from "@std/assert";
import { hidden, redact, redactText, redactTexts } from "../../../src/server/oauth/secrets/redaction.ts";
import type { JsonObject } from "../../../src/ground/schema/json_object.ts";
import { test } from "../../runner.ts";

const texts: Readonly<Record<string, readonly [before: string, after: string]>> = {
  "a cut JWT": ["eyJhbGciOiJSUzI1NiJ9.eyJ", hidden],
  "an encrypted JWT and no more (RFC 7516 §3.1)": ["eyJhbGciOiJkaXIifQ.a.b.c.d.json", `${hidden}.json`],
  "a private key": ['{"kty":"OKP","d":"c2VjcmV0"}', `{"kty":"OKP","d":"${hidden}"}`],
  "a private key behind white space": [
    '  {"kty":"OKP", "d":\t"c2VjcmV0", "k": ""}',
    `  {"kty":"OKP", "d":\t"${hidden}", "k": "${hidden}"}`,
  ],
  "an encoded private key": ["%7B%22kty%22%3A%22OKP%22%2C%22d%22%3A%22c2VjcmV0%22%7D", hidden],
  "a private key that is encoded twice": ["%257B%2522kty%2522%253A1%252C%2522d%2522%253A1%257D", hidden],
  "JSON that is encoded six times": ["%7b%257b%25257b%2525257b%252525257b%25252525257b", hidden],
  "a pushed request": [
    "urn:ietf:params:oauth:request_uri:abc",
    `urn:ietf:params:oauth:request_uri:${hidden}`,
  ],
  "the user of an address": ["//ann@host/", `//${hidden}@host/`],
  "a member of a query": ["?code=abc", `?code=${hidden}`],
};

for (const [name, [before, after]] of Object.entries(texts)) {
  test(`redaction: ${name} is hidden`, () => assertEquals(redactText(before), after));
}

const material = "UHJpdmF0ZSBtYXRlcmlhbCBvZiBhIGtleQ";
const members = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** Values of a private member, and whether the rest of the object must say that it is a key. */
const values: readonly (readonly [value: unknown, needsSign: boolean])[] = [
  [material, false],
  [`${material}==`, false],
  ["UHJpdmF0/SBt+XRlcmlhbCBv", false],
  // A key of 128 bits, the shortest one.
  ["UHJpdmF0ZSBtYXRlcmlhbA", false],
  ["c2VjcmV0", true],
  ["", true],
  [[{ r: material, d: material, t: material }], true],
  [{ value: material }, true],
  [7, true],
];

/** Other members of keys (RFC 7517 §4, RFC 7518 §6, RFC 9964). */
const signs: readonly JsonObject[] = [
  ...[{ kty: "RSA" }, { kty: "" }, { kty: null }, { crv: "P-256" }, { x: "eA" }, { y: "eQ" }],
  ...[{ n: "bg" }, { e: "AQAB" }, { alg: "HS256" }, { kid: "1" }, { use: "sig" }, { key_ops: ["sign"] }],
  ...[{ pub: "cA" }, { oth: [] }],
];

/** Texts of an object, where a name or a value may be escaped (RFC 8259 §7). */
const spellings: Readonly<Record<string, (object: JsonObject) => string>> = {
  "plain": (object) => JSON.stringify(object),
  "with white space": (object) => JSON.stringify(object, null, "\t"),
  "with escaped names": (object) =>
    `{${
      Object.entries(object).map(([name, value]) =>
        `"${[...name].map(escapeCharacter).join("")}" : ${JSON.stringify(value)}`
      )
    }}`,
  "with escaped values": (object) =>
    JSON.stringify(object).replaceAll("UHJ", [..."UHJ"].map(escapeCharacter).join("")).replaceAll("/", "\\/"),
  "in another member": (object) => JSON.stringify({ a: [{ b: { c: [object, 1] } }] }),
  "in a text": (object) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(object) }) }),
  "behind a text": (object) => `the key is ${JSON.stringify(object)}, as "sent"`,
  "encoded": (object) => encodeURIComponent(JSON.stringify(object)),
};

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Reads the escapes, so that a hidden value can be told from one in another spelling. */
function readable(text: string): string {
  const decoded = text.replaceAll(/%[2-7][\da-f]/gi, decodeURIComponent);
  return decoded.replaceAll(/\\+u([\da-f]{4})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll("\\", "");
}

test("redaction: each private member of a key is hidden, also without kty and in each spelling (RFC 7517 §9.2)", () => {
  for (const name of members) {
    for (const [value, needsSign] of values) {
      // A place before or behind the private member.
      const around = needsSign && name !== "oth" ? signs : [{}, { note: "a" }, ...signs];
      for (const sign of around.filter((each) => !Object.hasOwn(each, name))) {
        for (const object of [{ ...sign, [name]: value }, { [name]: value, ...sign }]) {
          for (const [spelling, write] of Object.entries(spellings)) {
            const shown = readable(redactText(write(object)));
            const what = `${JSON.stringify(object)} ${spelling}: ${shown}`;
            const own = readable(JSON.stringify(value).replaceAll("\\/", "/"));
            assertEquals([shown.includes(hidden), shown.includes(`"${name}":${own}`)], [true, false], what);
            assertEquals(shown.includes(material), false, what);
            if (!needsSign) assertEquals(shown.includes(String(value)), false, what);
          }
          const redacted = redactTexts(object);
          const open = Object.keys(sign).filter((each) => each !== "oth");
          assertEquals([redacted[name], ...open.map((each) => redacted[each])], [
            hidden,
            ...open.map((each) => sign[each]),
          ]);
        }
      }
    }
  }
});

test("redaction: members with such names that are no keys are readable", () => {
  const others: readonly JsonObject[] = [
    ...members.filter((name) => name !== "oth").flatMap((name) =>
      [
        ...["", "a note", "a longer note with enough letters", "EUR", material.slice(0, 21), 7, null, ["a"]],
        ...[`see ${material}`, `${material} there`],
      ].map((value) => ({ [name]: value, note: "a" }))
    ),
    { d1: material },
    { note: { d: "a" }, kty: "RSA" },
    { D: material },
  ];
  for (const object of others) {
    const text = JSON.stringify(object);
    for (const each of [text, encodeURIComponent(text)]) assertEquals(redactText(each), each);
    assertEquals(redactTexts(object), object);
  }
  const text = `{"d":"a note","kty":"x"} {"d":"${material}","e":{"k":"a"}}`;
  assertEquals(redactText(text), `{"d":"${hidden}","kty":"x"} {"d":"${hidden}","e":{"k":"a"}}`);
});

test("redaction: a private member of a text that is cut is hidden", () => {
  const text = `{"note":"a","k":"${material}","kty":"oct"}`;
  for (let end = text.indexOf("UHJ") + 1; end <= text.length; end++) {
    assertEquals(redactText(text.slice(0, end)).includes("UHJ"), false, text.slice(0, end));
  }
});

const id = "a".repeat(22);
const secret = "b".repeat(43);
const refresh = (number: string) => `${id}.${number}.${"c".repeat(32)}.${"d".repeat(22)}`;

test("redaction: a credential is hidden in its exact form, alone and between other words", () => {
  const credentials = [`${id}.${secret}`, refresh("1"), refresh("20"), refresh("999999999")];
  for (const text of credentials) {
    assertEquals(redactText(text), hidden, text);
    assertEquals(redactText(`v1.${text}.json and /${text}/`), `v1.${hidden}.json and /${hidden}/`, text);
  }
  const others = [
    `${id}a.${secret}`,
    `${id}.${secret}b`,
    `${id.slice(1)}.${secret}`,
    `${id}.${secret.slice(1)}`,
  ];
  const numbers = ["0", "01", "1000000000", ""].map(refresh);
  for (const text of [...others, ...numbers, `${refresh("1")}d`, `${refresh("1").slice(0, -1)}`]) {
    assertEquals(redactText(text), text);
  }
});

test("redaction: a credential that an error cuts is hidden", () => {
  for (const text of [`${id}.${secret}`, refresh("1")]) {
    for (let end = id.length + 2; end < text.length; end++) {
      assertEquals(redactText(`the code ${text.slice(0, end)}…`), `the code ${hidden}`);
    }
  }
  for (const text of [`${id}a.b…`, `${id.slice(1)}.b…`, `a.${id.slice(1)}…`, `${id}…`]) {
    assertEquals(redactText(text), text);
  }
});

test("redaction: in a query, the values of secrets are hidden, and others are readable", () => {
  const secrets = [
    ...["code", "device_code", "user_code", "continue", "state", "nonce", "request", "request_uri", "sid"],
    ...[
      "jwt",
      "pwd",
      "access_token",
      "client_secret",
      "password",
      "passwd",
      "code_verifier",
      "id_token_hint",
    ],
    ...["client_assertion", "session_state", "credentials", "api_key", "CODE"],
  ];
  for (const name of secrets) {
    for (const mark of ["?", "&", "#"]) {
      const shown = redactText(`/a${mark}${name}=it's&scope=a#b "c"`);
      assertEquals(shown, `/a${mark}${name}=${hidden}&scope=a#b "c"`);
    }
  }
  for (const name of ["scope", "barcode", "code_challenge", "states", "requests", "my_sid", "client_id"]) {
    assertEquals(redactText(`/a?${name}=b`), `/a?${name}=b`);
  }
});

test("redaction: of an entry, the values of parameters, the body and unusual headers are hidden", () => {
  const harmless = [
    ...["accept", "content-type", "access-control-allow-origin", "access-control-max-age", "origin"],
    ...["access-control-request-method", "retry-after", "user-agent", "www-authenticate", "x-frame-options"],
  ];
  const others = ["authorization", "cookie", "set-cookie", "dpop", "location", "x-api", "dpop-nonce"];
  const headers = [...harmless, ...others].map((name) => [name, `a ${id}.${secret}`] as const);
  const facts = { error: `code ${id}.${secret}`, fault: new Error("own") };
  const entry = redact({
    ...{ id: "1", receivedAt: 0, duration: 0, facts: facts as never },
    request: { method: "POST", path: `/a/${id}.${secret}`, query: "a=b&C=d&&e", headers, body: "" },
    response: { status: 200, headers, body: "a" },
  });
  const shown = [...harmless.map((name) => [name, `a ${hidden}`]), ...others.map((name) => [name, hidden])];
  assertEquals([entry.request.headers, entry.response.headers], [shown, shown]);
  assertEquals([entry.request.path, entry.request.body, entry.response.body], [`/a/${hidden}`, "", hidden]);
  assertEquals(entry.request.query, `a=${hidden}&${hidden}&${hidden}&${hidden}`);
  assertEquals(entry.facts, { error: `code ${hidden}`, fault: facts.fault } as never);
});
