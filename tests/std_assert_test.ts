/** Each assertion of the stand-in for @std/assert passes and fails like the real one. */
import {
  assert,
  assertArrayIncludes,
  assertEquals,
  assertExists,
  assertFalse,
  assertGreater,
  assertGreaterOrEqual,
  assertInstanceOf,
  AssertionError,
  assertLess,
  assertLessOrEqual,
  assertMatch,
  assertNotEquals,
  assertNotMatch,
  assertNotStrictEquals,
  assertObjectMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
  unreachable,
} from "@std/assert";
import { test } from "./runner.ts";

type Call = () => unknown;

const cyclic: Record<string, unknown> = { name: "a" };
cyclic["self"] = cyclic;
const sameCycle: Record<string, unknown> = { name: "a" };
sameCycle["self"] = sameCycle;
const shared = { a: 1 };
const boom: Call = () => {
  throw new TypeError("it went boom");
};
const reject = () => Promise.reject(new TypeError("it went boom"));

const cases: Record<string, { passes: Call[]; fails: Call[] }> = {
  assert: { passes: [() => assert(1)], fails: [() => assert(0), () => assert("")] },
  assertFalse: { passes: [() => assertFalse(0)], fails: [() => assertFalse("x")] },
  assertEquals: {
    passes: [
      () => assertEquals<unknown>({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }),
      () => assertEquals(NaN, NaN),
      () => assertEquals(new Map([["a", { b: 1 }]]), new Map([["a", { b: 1 }]])),
      () => assertEquals(new Set([{ a: 1 }, { a: 2 }]), new Set([{ a: 2 }, { a: 1 }])),
      () => assertEquals(new Uint8Array([1, 2]), new Uint8Array([1, 2])),
      () => assertEquals(new URL("http://a.test"), new URL("http://a.test/")),
      () => assertEquals(cyclic, sameCycle),
      () => assertEquals<unknown>(Object.assign(Object.create(null), { a: 1 }), { a: 1 }),
    ],
    fails: [
      () => assertEquals(1, 2),
      () => assertEquals<unknown>(1, "1"),
      () => assertEquals<unknown>({ a: 1 }, { a: 1, b: undefined }),
      () => assertEquals<unknown>({ a: undefined }, { b: undefined }),
      () => assertEquals([1, 2], [2, 1]),
      () => assertEquals<unknown>([], {}),
      () => assertEquals(new Map([["a", 1]]), new Map([["a", 2]])),
      () => assertEquals(new Set([1]), new Set([2])),
      () => assertEquals(new Uint8Array([1]), new Uint8Array([2])),
      () => assertEquals(new Date(0), new Date(1)),
      () => assertEquals(/a/, /a/i),
      () => assertEquals(new URL("http://a.test"), new URL("http://b.test")),
    ],
  },
  assertNotEquals: {
    passes: [() => assertNotEquals({ a: 1 }, { a: 2 })],
    fails: [() => assertNotEquals({ a: 1 }, { a: 1 })],
  },
  assertStrictEquals: {
    passes: [() => assertStrictEquals(shared, shared)],
    fails: [() => assertStrictEquals({ a: 1 }, { a: 1 }), () => assertStrictEquals(0, -0)],
  },
  assertNotStrictEquals: {
    passes: [() => assertNotStrictEquals({ a: 1 }, { a: 1 })],
    fails: [() => assertNotStrictEquals(shared, shared)],
  },
  assertExists: {
    passes: [() => assertExists(0)],
    fails: [() => assertExists(null), () => assertExists(undefined)],
  },
  assertInstanceOf: {
    passes: [() => assertInstanceOf(new TypeError(), Error)],
    fails: [() => assertInstanceOf(new Error(), TypeError), () => assertInstanceOf(null, Error)],
  },
  assertMatch: { passes: [() => assertMatch("abc", /b/)], fails: [() => assertMatch("abc", /d/)] },
  assertNotMatch: { passes: [() => assertNotMatch("abc", /d/)], fails: [() => assertNotMatch("abc", /b/)] },
  assertStringIncludes: {
    passes: [() => assertStringIncludes("abc", "bc")],
    fails: [() => assertStringIncludes("abc", "cb")],
  },
  assertArrayIncludes: {
    passes: [() => assertArrayIncludes([{ a: 1 }, { a: 2 }], [{ a: 2 }])],
    fails: [() => assertArrayIncludes([1, 2], [2, 3])],
  },
  assertObjectMatch: {
    passes: [
      () => assertObjectMatch({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }),
      () => assertObjectMatch({ list: [{ a: 1, b: 2 }] }, { list: [{ a: 1 }] }),
    ],
    fails: [
      () => assertObjectMatch({ a: 1 }, { a: 2 }),
      () => assertObjectMatch({ a: 1 }, { a: 1, b: 2 }),
      () => assertObjectMatch({ a: { b: 1 } }, { a: { b: 1, c: 2 } }),
      () => assertObjectMatch({ a: "x" }, { a: { b: 1 } }),
    ],
  },
  assertGreater: { passes: [() => assertGreater(2, 1)], fails: [() => assertGreater(1, 1)] },
  assertGreaterOrEqual: {
    passes: [() => assertGreaterOrEqual(1, 1)],
    fails: [() => assertGreaterOrEqual(0, 1)],
  },
  assertLess: { passes: [() => assertLess(1, 2)], fails: [() => assertLess(1, 1), () => assertLess(NaN, 1)] },
  assertLessOrEqual: { passes: [() => assertLessOrEqual(1, 1)], fails: [() => assertLessOrEqual(2, 1)] },
  assertThrows: {
    passes: [
      () => assertThrows(boom),
      () => assertThrows(boom, Error),
      () => assertThrows(boom, TypeError, "boom"),
    ],
    fails: [
      () => assertThrows(() => {}),
      () => assertThrows(boom, RangeError),
      () => assertThrows(boom, TypeError, "quietly"),
      () =>
        assertThrows(() => {
          throw "text";
        }, Error),
    ],
  },
  assertRejects: {
    passes: [
      () => assertRejects(reject),
      () => assertRejects(reject, Error),
      () => assertRejects(reject, TypeError, "boom"),
    ],
    fails: [
      () => assertRejects(() => Promise.resolve()),
      () => assertRejects(reject, RangeError),
      () => assertRejects(reject, TypeError, "quietly"),
      () => assertRejects(boom as () => Promise<void>),
    ],
  },
  fail: { passes: [], fails: [() => fail(), () => fail("because")] },
  unreachable: { passes: [], fails: [() => unreachable()] },
};

for (const [name, { passes, fails }] of Object.entries(cases)) {
  test(`std_assert: ${name} passes and fails as it should`, async () => {
    for (const call of passes) await call();
    for (const call of fails) {
      let thrown: unknown;
      try {
        await call();
      } catch (error) {
        thrown = error;
      }
      if (!(thrown instanceof AssertionError)) {
        throw new Error(`${call} threw ${thrown}, not an AssertionError`);
      }
    }
  });
}

test("std_assert: assertThrows and assertRejects return the error", async () => {
  assertEquals(assertThrows(boom, TypeError).message, "it went boom");
  assertEquals((await assertRejects(reject, TypeError)).message, "it went boom");
});

test("std_assert: a failed assertEquals shows the lines that differ", () => {
  const left = { name: "a", items: [1, 2, 3] }, right = { name: "a", items: [1, 4, 3] };
  const { message } = assertThrows(
    () => assertEquals(left, right, "of the list"),
    AssertionError,
    "of the list",
  );
  assertMatch(message, /^-\s+2,$/m);
  assertMatch(message, /^\+\s+4,$/m);
  assertNotMatch(message, /^[-+]\s+3,$/m);
});
