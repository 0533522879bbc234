/** The kinds of answers: what browsers and caches may do with each (RFC 9700 §4.2.4, §4.16; CSP 3). */

import { assertEquals } from "@std/assert";
import { formatParams, type Pair } from "../../../src/ground/http/form.ts";
import type { Answer } from "../../../src/ground/http/message.ts";
import * as respond from "../../../src/ground/http/respond.ts";
import { chance } from "../../chance.ts";
import { test } from "../../runner.ts";

const every = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
const html = { ...every, "content-type": "text/html; charset=utf-8", vary: "accept-language" };
const alone = { "x-frame-options": "DENY", "cross-origin-opener-policy": "same-origin" };
const json = { ...every, "content-type": "application/json", pragma: "no-cache" };
const added = { headers: { "x-a": "b" } };

/** The rules of all pages, then those in which they differ. */
const policy = (ancestors: string, ...more: readonly string[]) => ({
  "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
    ["base-uri 'none'", "object-src 'none'", `frame-ancestors ${ancestors}`, ...more].join("; "),
});
const form = "form-action 'self'";

const answers: readonly (readonly [answer: Answer, status: number, headers: object, body: string])[] = [
  [respond.json({ a: 1 }), 200, json, '{"a":1}'],
  [respond.json([], { status: 400, ...added }), 400, { ...json, "x-a": "b" }, "[]"],
  [respond.jwt("a.b.c"), 200, { ...every, "content-type": "application/jwt" }, "a.b.c"],
  [respond.page("<p>"), 200, { ...html, ...alone, ...policy("'none'", form) }, "<p>"],
  // The answer to the form may redirect to the client, which Chromium would block.
  [respond.formPage("<p>", { status: 403 }), 403, { ...html, ...alone, ...policy("'none'") }, "<p>"],
  [respond.messagePage("<p>", "https://a.test"), 200, {
    ...html,
    ...policy("https://a.test", "form-action 'none'"),
  }, "<p>"],
  [respond.ownFormPage("<p>"), 200, {
    ...{ ...html, ...alone, "referrer-policy": "same-origin" },
    ...policy("'none'", form, "connect-src 'self'"),
  }, "<p>"],
  [respond.redirect("/a"), 303, { ...every, location: "/a" }, ""],
  [respond.empty(401, added.headers), 401, { ...every, "x-a": "b" }, ""],
];

test("answers: each kind has its status, its headers against caches, frames and scripts, and its body", () => {
  for (const [answer, status, headers, body] of answers) {
    assertEquals(answer, { status, headers, body } as Answer);
  }
});

test("forms: any names and values read back as they were written (OAuth 2.1 appendix B)", () => {
  const characters = [..."aé ß+&=%#?/~*'\"\\\0\n€🗝"];
  for (let round = 0; round < 50; round++) {
    const text = () => Array.from({ length: chance().below(6) }, () => chance().pick(characters)).join("");
    const pairs = Array.from({ length: 1 + chance().below(4) }, (): Pair => [text(), text()]);
    const written = formatParams(pairs);
    assertEquals([...new URLSearchParams(written)], pairs.map((pair) => [...pair]), written);
  }
  assertEquals(formatParams([["a\ud800", "b c"]]), "a%EF%BF%BD=b+c");
});
