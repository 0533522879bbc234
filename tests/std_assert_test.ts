/** Each assertion of the stand-in for @std/assert passes and fails like the real one. */
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

const cases: Readonly<
  Record<
    string,
    { readonly passes: readonly Call[]; readonly fails: readonly Call[] }
  >
> = {
  assert: {
    passes: [() => assert(1)],
    fails: [() => assert(0), () => assert("")],
  },
  assertFalse: {
    passes: [() => assertFalse(0)],
    fails: [() => assertFalse("x")],
  },
  assertEquals: {
    passes: [
      () => assertEquals<unknown>({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }),
      () => assertEquals(NaN, NaN),
      () => assertEquals(new Map([["a", { b: 1 }]]), new Map([["a", { b: 1 }]])),
      () => assertEquals(new Uint8Array([1, 2]), new Uint8Array([1, 2])),
    ],
    fails: [
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
  },
  assertNotEquals: {
    passes: [() => assertNotEquals({ a: 1 }, { a: 2 })],
    fails: [() => assertNotEquals({ a: 1 }, { a: 1 })],
  },
  assertStrictEquals: {
    passes: [() => assertStrictEquals(boom, boom)],
    fails: [() => assertStrictEquals({}, {})],
  },
  assertExists: {
    passes: [() => assertExists(0)],
    fails: [() => assertExists(null)],
  },
  assertInstanceOf: {
    passes: [() => assertInstanceOf(new URL("http://a.test"), URL)],
    fails: [() => assertInstanceOf({}, URL)],
  },
  assertMatch: {
    passes: [() => assertMatch("abc", /b/)],
    fails: [() => assertMatch("abc", /d/)],
  },
  assertNotMatch: {
    passes: [() => assertNotMatch("abc", /d/)],
    fails: [() => assertNotMatch("abc", /b/)],
  },
  assertStringIncludes: {
    passes: [() => assertStringIncludes("abc", "b")],
    fails: [() => assertStringIncludes("abc", "d")],
  },
  assertLess: {
    passes: [() => assertLess(1, 2)],
    fails: [() => assertLess(2, 2)],
  },
  assertThrows: {
    passes: [
      () => assertThrows(boom),
      () => assertThrows(boom, TypeError, "boom"),
    ],
    fails: [
      () => assertThrows(() => {}),
      () => assertThrows(boom, RangeError),
      () => assertThrows(boom, TypeError, "bang"),
    ],
  },
  assertRejects: {
    passes: [
      () => assertRejects(reject),
      () => assertRejects(reject, TypeError, "boom"),
    ],
    fails: [
      () => assertRejects(resolve),
      () => assertRejects(reject, RangeError),
      () => assertRejects(reject, TypeError, "bang"),
    ],
  },
  fail: { passes: [], fails: [() => fail("so")] },
};

for (const [name, { passes, fails }] of Object.entries(cases)) {
  test(`${name} passes and fails as it should`, async () => {
    for (const call of passes) await call();
    for (const call of fails) {
      const outcome = await Promise.resolve().then(call).then(
        () => "passed",
        (error) => error,
      );
      if (!(outcome instanceof AssertionError)) {
        throw new Error(`${call} did not fail: ${outcome}`);
      }
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
