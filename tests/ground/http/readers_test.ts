/** Readers of headers and addresses that strangers write: each bound and each end of their forms. */

import { assertEquals } from "@std/assert";
import { isAbsoluteUri } from "../../../src/ground/http/address.ts";
import { parseAuthorization, type PresentedToken } from "../../../src/ground/http/authorization.ts";
import { readAnswerText } from "../../../src/ground/http/body.ts";
import { cacheLifetime } from "../../../src/ground/http/cache_lifetime.ts";
import { createFetchBudget } from "../../../src/ground/http/fetch_budget.ts";
import { test } from "../../runner.ts";

const unreadable: PresentedToken = { scheme: "Bearer" };

const authorizations: Readonly<Record<string, PresentedToken | undefined>> = {
  "Bearer a": { scheme: "Bearer", text: "a" },
  "bEARER  aZ09-._~+/==  ": { scheme: "Bearer", text: "aZ09-._~+/==" },
  "dpop a.b.c": { scheme: "DPoP", text: "a.b.c" },
  "Bearer": unreadable,
  " Bearer a": unreadable,
  "Bearer =a": unreadable,
  "Bearer a=b": unreadable,
  "Bearer a, Bearer b": unreadable,
  "Basic YTpi,  Bearer a": unreadable,
  "Basic YTpi": undefined,
  "Bearers a": undefined,
  "Basic Bearer": undefined,
  "": undefined,
};

test("authorization: one token follows its scheme, and several or other text are no token (RFC 6750 §2.1)", () => {
  for (const [header, expected] of Object.entries(authorizations)) {
    assertEquals(parseAuthorization(header, ["Bearer", "DPoP"]), expected, header);
  }
});

const date = "Thu, 01 Jan 2026 00:00:00 GMT";

/** Headers, and the seconds for which an answer with them may be used again: 300 usually, and at most 3600. */
const lifetimes: readonly (readonly [headers: Readonly<Record<string, string>>, seconds: number])[] = [
  [{}, 300],
  [{ "cache-control": "private,  MAX-AGE=20" }, 20],
  [{ "cache-control": 'max-age="20"' }, 20],
  [{ "cache-control": "max-age=20, max-age=30" }, 20],
  [{ "cache-control": "max-age=9999999999" }, 3600],
  [{ "cache-control": "max-age=99999999999" }, 300],
  [{ "cache-control": "s-max-age=20" }, 300],
  [{ "cache-control": "max-age=20s" }, 300],
  [{ "cache-control": "max-age=20, no-store" }, 0],
  [{ "cache-control": 'no-cache="set-cookie", max-age=20' }, 0],
  [{ "cache-control": "x-no-store, no-caches" }, 300],
  [{ "cache-control": "max-age=100", age: "30" }, 70],
  [{ "cache-control": "max-age=100", age: "101" }, 0],
  [{ "cache-control": "max-age=100", age: "30s" }, 100],
  [{ "cache-control": "max-age=100", age: "30000000000" }, 100],
  [{ expires: "Thu, 01 Jan 2026 00:01:00 GMT", date }, 60],
  [{ expires: "Thu, 01 Jan 2026 00:01:00 GMT", date, "cache-control": "max-age=20" }, 20],
  [{ expires: "Thu, 01 Jan 2026 00:01:00 GMT", date, age: "50" }, 10],
  [{ age: "50" }, 300],
  [{ expires: "Wed, 31 Dec 2025 23:59:00 GMT", date }, 0],
  [{ expires: date }, 0],
];

test("cache lifetime: what the answer says counts, at most the longest time, and wrong text counts as absent (RFC 9111 §4.2)", () => {
  for (const [headers, seconds] of lifetimes) {
    const lifetime = cacheLifetime((name) => headers[name] ?? null, { usual: 300, longest: 3600 });
    assertEquals(lifetime, seconds, JSON.stringify(headers));
  }
});

test("absolute URIs: they have a scheme, visible ASCII and no fragment (RFC 3986 §4.3)", () => {
  const accepted = ["https://api.example", "urn:example:api", "a+b.c-1:x", "X:!~"];
  const others = [
    "api",
    ":x",
    "1a:x",
    "a:",
    "é:x",
    "https://a/#",
    "a:b c",
    "a:é",
    " a:b",
    "a:b\n",
    "https://[",
    "",
  ];
  assertEquals([...accepted, ...others].filter(isAbsoluteUri), accepted);
});

test("answers: the text of a body is read up to a limit of octets, and the rest of a stream is cancelled", async () => {
  const octets = new TextEncoder().encode("abc\u20acd");
  let cancelled = 0;
  const read = async (limit: number, pieces: readonly Uint8Array[]) => {
    const left = pieces.values();
    const body = new ReadableStream<Uint8Array>({
      pull: (at) => Promise.resolve(left.next()).then(({ value }) => value ? at.enqueue(value) : at.close()),
      cancel: () => void cancelled++,
    }, { highWaterMark: 0 });
    return await readAnswerText(body, limit);
  };
  for (let size = 1; size <= octets.length; size++) {
    const starts = Array.from({ length: Math.ceil(octets.length / size) }, (_, index) => index * size);
    const pieces = starts.map((start) => octets.slice(start, start + size));
    for (let limit = 1; limit <= octets.length + 1; limit++) {
      cancelled = 0;
      // A character that is not whole is left out.
      const text = new TextDecoder().decode(octets.subarray(0, limit), { stream: true });
      const isCut = limit <= octets.length;
      assertEquals([size, limit, await read(limit, pieces), cancelled], [size, limit, text, isCut ? 1 : 0]);
    }
  }
  assertEquals([await readAnswerText("abc", 2), await readAnswerText(octets, 2)], ["ab", "ab"]);
});

const most = 10;
const mostKnown = 500;

test("fetches: ten in a minute go to unknown hosts together, and ten to each host that has answered", () => {
  let now = 1000;
  const { take, accept } = createFetchBudget(() => now);
  const free = new Array(most).fill(0);
  for (let second = 0; second < most; second++) {
    now++;
    assertEquals(take(`h${second}.test`), 0);
  }
  now += 50.5;
  assertEquals([take("h.test"), take("h0.test")], [1, 1]);
  accept("h0.test");
  assertEquals([...free, 0].map(() => take("h0.test")), [...free, 60]);
  now += 0.5;
  assertEquals([take("h.test"), take("h.test")], [0, 1]);
  // A host that is accepted again keeps its count.
  accept("h0.test");
  assertEquals(take("h0.test"), 60);
  // If the clock was set back, no earlier request counts.
  now -= 100;
  assertEquals([take("h.test"), take("h0.test")], [0, 0]);
});

test("fetches: of too many known hosts, the first one counts as unknown again", () => {
  const { take, accept } = createFetchBudget(() => 1000);
  for (let at = 0; at < mostKnown; at++) accept(`h${at}.test`);
  for (let count = 0; count < most; count++) take("unknown.test");
  assertEquals(take("h0.test"), 0);
  accept("one more");
  assertEquals([take("h0.test"), take("h1.test")], [60, 0]);
});
