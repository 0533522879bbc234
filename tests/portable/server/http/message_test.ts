/** Answers: which have a body, what HEAD gets, and which cannot be sent. */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { findUnsendable, fromRequest, toResponse, withoutBody } from "../../../../src/ground/http/message.ts";
import type { Answer } from "../../../../src/mod.ts";
import { test } from "../../../runner.ts";

const answer: Answer = { status: 200, headers: { "x-a": ["1", "2"] }, body: "é" };

for (const status of [204, 205, 304]) {
  test(`answer: with status ${status} a body is left out (RFC 9110 §15)`, async () => {
    const response = toResponse({ ...answer, status });
    assertEquals([response.status, await response.text()], [status, ""]);
  });
}

test("answer: HEAD gets the length of the body that GET would get (RFC 9110 §9.3.2)", () => {
  assertEquals(withoutBody(answer), {
    status: 200,
    headers: { "x-a": ["1", "2"], "content-length": "2" },
    body: "",
  });
  const told: Answer = { ...answer, headers: { "content-length": "7" } };
  assertEquals(withoutBody(told).headers, { "content-length": "7" });
  assertEquals(withoutBody({ ...answer, body: "" }), { ...answer, body: "" });
  assertEquals(withoutBody({ ...answer, status: 304 }), { ...answer, status: 304, body: "" });
});

const wrongRequests = [
  ["https://id.test/?code=canary", "text"],
  [new URL("https://id.test/"), "a URL"],
  [undefined, "something else"],
  [{}, "something else"],
] as const;
for (const [request, came] of wrongRequests) {
  test(`request: ${came} is refused, and the error says what is expected (${typeof request})`, () => {
    const { message } = assertThrows(() => fromRequest(request as unknown as Request, undefined), TypeError);
    assertEquals(
      message,
      `Cannot answer ${came}: expected a Request, such as new Request("https://id.test/")`,
    );
  });
}

const unsendable: readonly (readonly [name: string, change: Partial<Answer>, words: string])[] = [
  ["an interim status", { status: 101 }, "status 101: expected a whole number from 200 to 599"],
  ["a status that is not a whole number", { status: 200.5 }, "status 200.5"],
  ["a body that is a number", { body: 5 as unknown as string }, "a body of type number: expected a string"],
  ["a line break in a header", { headers: { "x-a": "1\r\nx-b: 2" } }, "the header x-a"],
  ["a NUL in one of several headers", { headers: { "x-a": ["1", "\0"] } }, "the header x-a"],
  ["a character beyond Latin-1", { headers: { "x-a": "€" } }, "the header x-a"],
  ["a name with a space", { headers: { "x a": "1" } }, 'a header named "x a"'],
];

for (const [name, change, words] of unsendable) {
  test(`answer: ${name} cannot be sent`, () =>
    assertStringIncludes(`${findUnsendable({ ...answer, ...change })}`, words));
}

test("answer: headers that every runtime can send are accepted", () => {
  for (const headers of [{}, { "x-a": "" }, { "x-a": "\té ~" }, { "set-cookie": ["a=1", "b=2"] }]) {
    assertEquals(findUnsendable({ ...answer, headers }), undefined);
  }
});

test("answer: text without a content type stays without one", async () => {
  const response = toResponse({ status: 200, headers: {}, body: "naïve" });
  assertEquals([response.headers.has("content-type"), await response.text()], [false, "naïve"]);
});
