/** How a card quotes what a client threw. */

import { assertEquals } from "@std/assert";
import { describeThrown } from "../../../src/kit/faults/describe_thrown.ts";
import { readThrown } from "../../../src/kit/faults/judge.ts";
import { test } from "../../runner.ts";

const named = (name: string, message: string, members: Readonly<Record<string, unknown>> = {}) =>
  Object.assign(new Error(message), { name }, members);

const hostile = new Proxy({}, {
  get() {
    throw new Error("no member can be read");
  },
  getPrototypeOf() {
    throw new Error("no class");
  },
});

const chain = ["six", "five", "four", "three", "two", "one"].reduce(
  (cause: Error | undefined, each) => new Error(each, { cause }),
  undefined,
);

const circular = new Error("round");
circular.cause = circular;

const descriptions: readonly (readonly [unknown, string])[] = [
  [named("StateError", ""), "StateError"],
  [
    named("AuthorizationError", "", { message: undefined, code: "access_denied" }),
    "AuthorizationError: access_denied",
  ],
  [
    named("ResponseBodyError", "the server responded with an error", {
      error: "invalid_grant",
      error_description: "The code was used",
    }),
    "ResponseBodyError: the server responded with an error: invalid_grant: The code was used",
  ],
  [named("TokenError", "invalid_grant: no", { error: "invalid_grant" }), "TokenError: invalid_grant: no"],
  [
    new Error("the login failed", {
      cause: named("ClientError", "bad response", { cause: new Error("iss") }),
    }),
    "Error: the login failed (cause: ClientError: bad response (cause: Error: iss))",
  ],
  [
    new Error("the login failed: Error: iss", { cause: new Error("iss") }),
    "Error: the login failed: Error: iss",
  ],
  [new Error("iss is wrong", { cause: named("OAuthError", "iss is wrong") }), "Error: iss is wrong"],
  [new Error("refused", { cause: new Response("body") }), "Error: refused"],
  [new Error("refused", { cause: { error: "server_error" } }), "Error: refused (cause: server_error)"],
  [
    new AggregateError([new Error("no route"), named("OAuthError", "late")], "all failed"),
    "AggregateError: all failed (cause: Error: no route; OAuthError: late)",
  ],
  [chain, "Error: one (cause: Error: two (cause: Error: three (cause: Error: four (cause: Error: five))))"],
  [
    new AggregateError(
      ["no route", "no name", "no port", "no key"].map((each) => new Error(each)),
      "all failed",
    ),
    "AggregateError: all failed (cause: Error: no route; Error: no name; Error: no port)",
  ],
  [`${"a".repeat(5000)}b`, "a".repeat(5000)],
  [new Error("a".repeat(5000)), `Error: ${"a".repeat(4993)}`],
  [circular, "Error: round"],
  [new DOMException("the run is over", "TimeoutError"), "TimeoutError: the run is over"],
  [{ error: "invalid_grant", error_description: "The code was used" }, "invalid_grant: The code was used"],
  [{ message: "the state is wrong" }, "the state is wrong"],
  ["the state is wrong", "the state is wrong"],
  ["", 'the value ""'],
  [undefined, "the value undefined"],
  [Symbol("state"), "a symbol"],
  [{ status: 400 }, "an object"],
  [new Response("body"), "a Response"],
  [hostile, "an object that cannot be read"],
];

test("thrown: a description quotes the error itself, and then its causes", () => {
  for (const [thrown, expected] of descriptions) assertEquals(describeThrown(thrown), expected);
});

test("thrown: an error that is its own cause, or cannot be read, is a refusal as others are", () => {
  assertEquals(readThrown(circular, {}), { kind: "refusal", error: "Error: round" });
  assertEquals(readThrown(hostile, {}, (error) => error instanceof TypeError), {
    kind: "refusal",
    error: "an object that cannot be read",
  });
  assertEquals(readThrown(undefined, {}), { kind: "refusal", error: "the value undefined" });
});

test("thrown: the fault of another is known by one of the four next causes", () => {
  const kinds = ["one", "two", "five", "six"].map((message) =>
    readThrown(chain, {}, (each) => each instanceof Error && each.message === message).kind
  );
  assertEquals(kinds, ["nothing", "nothing", "nothing", "refusal"]);
});
