/** Each assertion of the stand-in for @std/assert fails like the real one. */
import {
  assert,
  assertEquals,
  assertExists,
  assertFalse,
  assertInstanceOf,
  AssertionError,
  assertLess,
  assertMatch,
  assertNotEquals,
  assertNotMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "@std/assert";
import { test } from "./runner.ts";

type Call = () => unknown;

const boom: Call = () => {
  throw new TypeError("it went boom");
};
const reject = () => Promise.reject(new TypeError("it went boom"));
const resolve = () => Promise.resolve();

/** Calls that fail. Each file of tests has those that pass. */
const failing: Readonly<Record<string, readonly Call[]>> = {
  assert: [() => assert(0), () => assert("")],
  assertFalse: [() => assertFalse("x")],
  assertEquals: [
    () => assertEquals<unknown>(1, "1"),
    () => assertEquals<unknown>({ a: 1 }, { a: 1, b: undefined }),
    () => assertEquals<unknown>({ a: undefined }, { b: undefined }),
    () => assertEquals([1, 2], [2, 1]),
    () => assertEquals<unknown>([], {}),
    () => assertEquals(new Date(1), new Date(2)),
    () => assertEquals(new URL("http://a.test"), new URL("http://b.test")),
    () => assertEquals(new Map([["a", 1]]), new Map([["a", 2]])),
    () => assertEquals(new TypeError("a"), new TypeError("b")),
  ],
  assertNotEquals: [() => assertNotEquals({ a: 1 }, { a: 1 })],
  assertStrictEquals: [() => assertStrictEquals({}, {})],
  assertExists: [() => assertExists(null)],
  assertInstanceOf: [() => assertInstanceOf({}, URL)],
  assertMatch: [() => assertMatch("abc", /d/)],
  assertNotMatch: [() => assertNotMatch("abc", /b/)],
  assertStringIncludes: [() => assertStringIncludes("abc", "d")],
  assertLess: [() => assertLess(2, 2)],
  assertThrows: [
    () => assertThrows(() => {}),
    () => assertThrows(boom, RangeError),
    () => assertThrows(boom, TypeError, "bang"),
  ],
  assertRejects: [
    () => assertRejects(resolve),
    () => assertRejects(reject, RangeError),
    () => assertRejects(reject, TypeError, "bang"),
  ],
  fail: [() => fail("so")],
};

for (const [name, calls] of Object.entries(failing)) {
  test(`${name} fails as it should`, async () => {
    for (const call of calls) {
      const outcome = await Promise.resolve().then(call).then(() => "passed", (error) => error);
      if (!(outcome instanceof AssertionError)) throw new Error(`${call} did not fail: ${outcome}`);
    }
  });
}

test("a difference is shown after the message of the test", () => {
  const error = assertThrows(
    () => assertEquals({ name: "alice" }, { name: "bob" }, "the person"),
    AssertionError,
  );
  for (const part of ["the person", "alice", "bob"]) {
    assertStringIncludes(error.message, part);
  }
});
