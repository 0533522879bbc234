/** An API finds the person by the whole sub (RFC 7519 §4.1.2): what its answers to several people show. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, examineApi } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { quickAlg } from "./clients/habits.ts";

type Answer = (sub: string) => Response | Promise<Response>;

const orders: Readonly<Record<string, string>> = { alice: "a book", bob: "a lamp" };
const list = (sub: string) => new Response(orders[sub] ?? "nothing");
const found = (sub: string) => new Response(orders[sub] ?? null, { status: sub in orders ? 200 : 404 });
const refused = (sub: string) => new Response(orders[sub] ?? null, { status: sub in orders ? 200 : 403 });
const broken = () => new Response(new ReadableStream({ start: (body) => body.error(new Error("gone")) }));

/** How an API answers the person with this sub, the outcome, and the variant that decides it. */
const answers: Readonly<Record<string, readonly [answer: Answer, outcome: string, variant?: string]>> = {
  "what the person has": [list, "noticed"],
  "404 if it does not know the person": [found, "noticed"],
  "403 if it does not know the person": [refused, "noticed"],
  "what the person has, and the name": [(sub) => new Response(`${sub}: ${orders[sub] ?? ""}`), "noticed"],
  "what it finds without capitals": [(sub) => list(sub.toLowerCase()), "fooled", "capitals"],
  "what it finds without white space": [(sub) => list(sub.trim()), "fooled", "white_space"],
  "what it finds by the first letters": [(sub) => list(sub.slice(0, 5)), "fooled", "suffix"],
  "what it finds, or 404, without capitals": [(sub) => found(sub.toLowerCase()), "fooled", "capitals"],
  "the name without capitals": [(sub) => new Response(sub.toLowerCase()), "fooled", "capitals"],
  "the name": [(sub) => new Response(sub), "not_applicable"],
  "the same to everyone": [() => new Response("ok"), "not_applicable"],
  // Both get what a person has whom the API does not know.
  "nothing to a person who has nothing": [
    (sub) => new Response(sub === "bob" ? "a lamp" : "nothing"),
    "not_applicable",
  ],
  "what breaks off to this person": [(sub) => sub === "alice" ? broken() : list(sub), "not_applicable"],
  "what breaks off if it does not know the person": [
    (sub) => sub in orders ? list(sub) : broken(),
    "unknown",
  ],
  "something else to each request": [() => new Response(crypto.randomUUID()), "not_applicable"],
  "500 if it does not know the person": [
    (sub) => new Response(orders[sub] ?? null, { status: sub in orders ? 200 : 500 }),
    "unknown",
  ],
};

for (const [what, [answer, outcome, variant]] of Object.entries(answers)) {
  test(`subjects: an API that answers ${what} (RFC 7519 §4.1.2)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const { rows: [row] } = await examineApi({
      as,
      username: "alice",
      only: ["access_token.subject_similar"],
      call: (token) => answer(`${decodeJwt(token).sub}`),
    });
    assertEquals([row!.level, row!.outcome, row!.variant], ["must", outcome, variant], row!.because);
    const isNamed = row!.because.endsWith("It is the answer to the person with the other sub.");
    assertEquals(isNamed, outcome === "fooled", row!.because);
  });
}

test("subjects: an answer that does not end shows no person, and an opaque token has no sub", async () => {
  await using as = await createMock({ alg: quickAlg });
  await using other = await createMock({ accessTokens: "opaque" });
  for (const [each, because] of [[as, "do not show whose data"], [other, "are opaque"]] as const) {
    const { rows: [row] } = await examineApi({
      as: each,
      only: ["access_token.subject_similar"],
      within: 0.5,
      call: () => new Response(new ReadableStream()),
    });
    assertEquals([row!.outcome, row!.because.includes(because)], ["not_applicable", true], row!.because);
  }
});

test("subjects: a refusal with the status 200 is one if it is declared", async () => {
  await using as = await createMock({ alg: quickAlg });
  const { rows: [row] } = await examineApi({
    as,
    username: "alice",
    only: ["access_token.subject_similar"],
    refusedBy: "body:nothing",
    call: (token) => list(`${decodeJwt(token).sub}`),
  });
  assertEquals(
    [row!.outcome, row!.because.includes("declared as a refusal")],
    ["noticed", true],
    row!.because,
  );
});
