/** The assertions that programs of the documentation use, in the place of `node:assert/strict`. */

import { isEqual, show } from "../../../tests/std_assert/page_assertions.ts";

class AssertionError extends Error {
  override readonly name = "AssertionError";
}

type Expected = RegExp | Readonly<Record<string, unknown>>;

const assert = {
  ok(value: unknown, message?: string): void {
    require(Boolean(value), message ?? `expected a value that is true, not ${show(value)}`);
  },
  equal(actual: unknown, expected: unknown, message?: string): void {
    require(Object.is(actual, expected), message ?? compare(actual, expected));
  },
  notEqual(actual: unknown, expected: unknown, message?: string): void {
    require(!Object.is(actual, expected), message ?? `expected another value than ${show(expected)}`);
  },
  deepEqual(actual: unknown, expected: unknown, message?: string): void {
    require(isEqual(actual, expected), message ?? compare(actual, expected));
  },
  /** The error has each member of `expected`. */
  async rejects(work: Promise<unknown> | (() => Promise<unknown>), expected?: Expected): Promise<void> {
    const error = await (typeof work === "function" ? work() : work).then(
      () => undefined,
      (thrown: unknown) => thrown ?? "nothing",
    );
    require(error !== undefined, "expected a rejection");
    if (expected === undefined) return;
    if (expected instanceof RegExp) {
      return require(expected.test(`${error}`), `expected ${expected}, not ${error}`);
    }
    for (const [name, value] of Object.entries(expected)) {
      const found = Reflect.get(error as object, name);
      const isRight = value instanceof RegExp ? value.test(`${found}`) : isEqual(found, value);
      require(isRight, `${name} of the error: ${compare(found, value)}`);
    }
  },
};

export default assert;

function require(condition: boolean, message: string): void {
  if (!condition) throw new AssertionError(message);
}

function compare(actual: unknown, expected: unknown): string {
  return `expected ${show(expected)}, not ${show(actual)}`;
}
