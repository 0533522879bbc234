/** What a card in a file hides: what differs between two equal runs, and what is secret. */

import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { keepRow } from "../../../src/kit/examine/card/kept_card.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import { type Card, type CardRow, formatCard, readCard } from "../../../src/kit/mod.ts";
import type { RecordedRequest } from "../../../src/kit/mock/journal/recorded_request.ts";
import { test } from "../../runner.ts";

const row: CardRow = {
  ...describeMisbehaviour("id_token.iss_wrong"),
  outcome: "fooled",
  because: "",
  requests: [],
};

const varying = [
  ["at 2031-02-03T04:05:06.789Z", "at [time]"],
  ["at 2031-02-03 04:05+01:00, no", "at [time], no"],
  ["at 2031-02-03T04:05:06-0130 and 2031-02-03T04:05", "at [time] and [time]"],
  ["04:05:06.123456 and 04:05:06", "[time] and [time]"],
  ["iat 1900000000, 1900000000123, 1900000000.5", "iat [time], [time], [time]"],
  ["the number 2900000000 and 190000000", "the number 2900000000 and 190000000"],
  ["duration_ms: 12.5 and duration_ms 3", "duration_ms [time] and duration_ms [time]"],
  ["after 0.25s, 3 ms, 1 second, 10 minutes", "after [time], [time], [time], [time]"],
  ["version 3 of 5 stages", "version 3 of 5 stages"],
  [
    "http://localhost:32768/a and http://127.0.0.1:45123",
    "http://localhost:[port]/a and http://127.0.0.1:[port]",
  ],
  [
    "http://localhost:32767 and http://LOCALHOST%3A40000",
    "http://localhost:32767 and http://LOCALHOST%3A[port]",
  ],
  ["example.test:40000", "example.test:40000"],
  ["https://s12.as.test and s7-api-test", "https://as.test and api-test"],
  ["https://s12.as.tes and https://s7.api.tes", "https://as.tes and https://api.tes"],
  ["HTTPS://S12.AS.TEST and S7.API.TEST", "HTTPS://AS.TEST and API.TEST"],
  ["HTTPS://S12.AS.TES", "HTTPS://AS.TES"],
  ["s12.as.tests and s12.as.te", "s12.as.tests and s12.as.te"],
  ["as3.as.test and a-s7-api-test", "as3.as.test and a-s7-api-test"],
] as const;

for (const [because, kept] of varying) {
  test(`card: what varies in a file: ${because}`, () => {
    assertEquals(keepRow({ ...row, because }).because, kept);
  });
}

const part = (members: object) => Buffer.from(JSON.stringify(members)).toString("base64url");
const jwtOfAnswer = `${part({ alg: "ES256" })}.${
  part({ sub: "subject-of-claims", nonce: "nonce-of-claims", more: { name: "name-in-claims" } })
}.c2ln`;

/** A request that has values which nothing shows, each of at least twelve characters. */
const request = {
  at: 1,
  duration: 1,
  endpoint: "token",
  method: "POST",
  path: "/oauth2/token",
  provenKey: "jkt of-a-run",
  params: { client_id: "shown-as-it-is", state: "[redacted]", scope: "a part of a text" },
  answer: { nested: { list: [1_900_000_000, ["y".repeat(1000), "z".repeat(1001)]] } },
  raw: () => ({
    facts: {},
    request: {
      query: "state=state-of-login&client_id=shown-as-it-is",
      body: "code=code-of-a-login&scope=openid",
      headers: [
        ["user-agent", "client name-of-client"],
        ["authorization", "name-of-scheme credentials-0 credentials-1"],
        ["accept", "application/json"],
      ],
    },
    response: {
      headers: [[
        "location",
        "https://app.test/cb?error=error-at-the-end&code=code-at-the-end#id_token=token-of-hash",
      ]],
      body: JSON.stringify({
        access_token: "access-token",
        refresh_token: "access-token.and-its-rest",
        response: jwtOfAnswer,
        more: [["text-in-lists", "part of a text", "last-in-lists"]],
        short: "eleven-char",
      }),
    },
  }),
} as unknown as RecordedRequest;

const secrets = [
  ["state-of-login", "[redacted]"],
  ["code-of-a-login", "[redacted]"],
  ["credentials-0", "[redacted]"],
  ["credentials-1", "[redacted]"],
  ["code-at-the-end", "[redacted]"],
  ["token-of-hash", "[redacted]"],
  ["access-token", "[redacted]"],
  ["access-token.and-its-rest", "[redacted]"],
  ["text-in-lists", "[redacted]"],
  ["last-in-lists", "[redacted]"],
  ["nonce-of-claims", "[redacted]"],
  ["name-in-claims", "[redacted]"],
  ["subject-of-claims", "subject-of-claims"],
  ["error-at-the-end", "error-at-the-end"],
  ["eleven-char", "eleven-char"],
  ["shown-as-it-is", "shown-as-it-is"],
  ["application/json", "application/json"],
  ["name-of-client", "name-of-client"],
  ["name-of-scheme", "name-of-scheme"],
  // it stands in a text of the answer that is shown
  ["part of a text", "part of a text"],
  // no request has these
  ["https://alice:secret@as.test", "https://[redacted]@as.test"],
  ["https://app.test/cb?code=of-another-login", "https://app.test/cb?code=[redacted]"],
] as const;

for (const [value, kept] of secrets) {
  test(`card: what a client repeats of a request in a file: ${value}`, () => {
    const { because } = keepRow({ ...row, because: `no use for ${value} here`, requests: [request] });
    assertEquals(because, `no use for ${kept} here`);
  });
}

test("card: a text of an answer has at most 1,000 characters in a file, and its times are hidden", () => {
  const { requests: [kept] } = keepRow({ ...row, requests: [request] });
  assertFalse("provenKey" in kept!, "it is a new one in each run");
  assertEquals(kept!.answer, {
    nested: { list: ["[time]", ["y".repeat(1000), `${"z".repeat(1000)}…`]] },
  });
});

const nest = (value: unknown, depth: number): unknown => depth === 0 ? value : [nest(value, depth - 1)];

test("card: in a file, what is nested more deeply than other JSON readers allow is text, and its times are hidden", () => {
  const keep = (answer: unknown) =>
    keepRow({ ...row, requests: [{ ...request, answer } as RecordedRequest] }).requests[0]!.answer as unknown;
  assertEquals(keep({ deep: nest(1_900_000_000, 18) }), { deep: nest("[time]", 18) });
  assertEquals(keep({ deep: nest(1_900_000_000, 19) }), { deep: nest("[time]", 19) });
  assertEquals(keep({ deep: nest([1_900_000_000], 19) }), { deep: nest("[[time]]", 19) });
  assertEquals(keep({ deep: nest({ at: null }, 19) }), { deep: nest('{"at":null}', 19) });
  assertEquals(keep({ deep: nest([], 2000) }), { deep: nest(`${"[".repeat(1000)}…`, 19) });
});

for (const form of ["text", "markdown", "junit", "sarif", "html"] as const) {
  test(`card: as ${form}, a long error has its start and its end, and JSON has all of it`, async () => {
    const long = `Error: begins ${"x".repeat(4000)} ends`;
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
    const card: Card = {
      phases: ["login"],
      problem: `The client fails: ${long}`,
      rows: [{ ...row, because: `The client refused: ${long}\n${lines}` }],
    };
    const text = await formatCard(card, form);
    assertFalse(text.includes("x".repeat(301)));
    for (const part of ["begins xxx", "xxx ends", "… and 11 more lines"]) assertStringIncludes(text, part);
    assertEquals(readCard(await formatCard(card, "json")).rows[0]!.because, card.rows[0]!.because);
  });
}

const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2VjcmV0LXNpZ25hdHVyZQ";
const secretsOfRuns = [
  ["https://app.test/cb?code=the-secret-code&lang=en", "https://app.test/cb?code=[redacted]&lang=en"],
  ["https://shop:the-secret-word@app.test/", "https://[redacted]@app.test/"],
  [`Bearer ${jwt}`, "Bearer [redacted]"],
] as const;

test("card: in a file, the problem of its runs has no secret", async () => {
  for (const [text, kept] of secretsOfRuns) {
    const card = { phases: [], problem: `The client fails: no answer to ${text}`, rows: [] };
    const { problem } = readCard(await formatCard(card, "json"));
    assertEquals(problem, `The client fails: no answer to ${kept}`);
  }
});

test("card: in a file, the claims of an ID token that say no secret are shown", () => {
  const shown = {
    ...{
      iss: "https://as.test/",
      sub: "subject-of-claims",
      aud: ["client-of-claims"],
      azp: "client-of-claims",
    },
    ...{ exp: 1, iat: 2, nbf: 3, auth_time: 4, acr: "acr-of-the-claims", amr: ["factor-of-claims"] },
    ...{ token_type: "type-of-claims", events: { "event-of-claims": {} } },
  };
  const others = {
    nonce: "nonce-of-claims",
    at_hash: "hash-of-claims",
    email: "email-of-claims",
    sid: "sid-of-claims",
  };
  const token = `${part({ alg: "ES256", kid: "id-of-the-key", jku: "url-of-the-key" })}.${
    part({ ...shown, ...others })
  }.c2ln`;
  const answered = {
    ...request,
    answer: {},
    raw: () => ({ ...request.raw(), response: { headers: [], body: JSON.stringify({ id_token: token }) } }),
  } as unknown as RecordedRequest;
  const texts = Object.values({ ...shown, ...others }).flat().filter((each) => typeof each === "string").join(
    " ",
  );
  const { because, requests: [kept] } = keepRow({ ...row, because: texts, requests: [answered] });
  const hidden = Object.fromEntries(Object.keys(others).map((name) => [name, "[redacted]"]));
  assertEquals<unknown>(kept!.answer!["id_token"], {
    header: { alg: "ES256", kid: "id-of-the-key", jku: "[redacted]" },
    claims: { ...shown, ...hidden },
    signature: "[redacted]",
  });
  assertEquals(because, texts.replaceAll(/(nonce|hash|email|sid)-of-claims/g, "[redacted]"));
});
