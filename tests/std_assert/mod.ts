/**
 * Stands in for `jsr:@std/assert@^1` with the functions that the tests use, because some machines reach npm and not JSR.
 * The platform's `node:assert` compares. One line takes the real one:
 * `sed -i '/"links"/d' dev.json && deno install --config dev.json`.
 */
import { inspect, strict } from "./node_assert.ts";

/** The error of a failed assertion. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

type ErrorClass<E extends Error> = new (...args: never[]) => E;

type Falsy = false | 0 | 0n | "" | null | undefined;

export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) fail(msg || `Expected a truthy value, got ${inspect(expr)}`);
}

export function assertFalse(expr: unknown, msg = ""): asserts expr is Falsy {
  if (expr) fail(msg || `Expected a falsy value, got ${inspect(expr)}`);
}

export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  compare(() => strict.deepStrictEqual(actual, expected), msg);
}

export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  compare(() => strict.notDeepStrictEqual(actual, expected), msg);
}

export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T {
  compare(() => strict.strictEqual(actual, expected), msg);
}

export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    fail(msg ?? `Expected a value, got ${actual}`);
  }
}

export function assertInstanceOf<
  T extends abstract new (...args: never[]) => unknown,
>(actual: unknown, expectedType: T, msg?: string): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  fail(
    msg ??
      `Expected an instance of ${expectedType.name}, got ${inspect(actual)}`,
  );
}

export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (!expected.test(actual)) {
    fail(msg ?? `Expected ${inspect(actual)} to match ${expected}`);
  }
}

export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void {
  if (expected.test(actual)) {
    fail(msg ?? `Expected ${inspect(actual)} not to match ${expected}`);
  }
}

export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (!actual.includes(expected)) {
    fail(msg ?? `Expected ${inspect(actual)} to contain ${inspect(expected)}`);
  }
}

export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual < expected)) {
    fail(msg ?? `Expected ${inspect(actual)} < ${inspect(expected)}`);
  }
}

/** Calls `fn`, which must throw, and returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows<E extends Error>(
  fn: () => unknown,
  classOrMessage?: ErrorClass<E> | string,
  msgIncludes?: string,
  msg?: string,
): unknown {
  try {
    fn();
  } catch (thrown) {
    return checkError(thrown, classOrMessage, msgIncludes);
  }
  fail(
    (typeof classOrMessage === "string" ? classOrMessage : msg) ??
      "Expected the function to throw",
  );
}

/** Calls `fn`, whose promise must be rejected, and returns the reason. */
export function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects<E extends Error>(
  fn: () => PromiseLike<unknown>,
  classOrMessage?: ErrorClass<E> | string,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  // outside of the try, because a function that throws at once has no promise
  const promise = fn();
  try {
    await promise;
  } catch (reason) {
    return checkError(reason, classOrMessage, msgIncludes);
  }
  fail(
    (typeof classOrMessage === "string" ? classOrMessage : msg) ??
      "Expected the promise to be rejected",
  );
}

export function fail(msg?: string): never {
  throw new AssertionError(msg ?? "Failed");
}

/** The difference comes after the message, which node:assert would show in its place. */
function compare(check: () => void, msg: string | undefined): void {
  try {
    check();
  } catch (error) {
    const difference = error instanceof Error ? error.message : String(error);
    fail(msg === undefined ? difference : `${msg}: ${difference}`);
  }
}

function checkError<E extends Error>(
  thrown: unknown,
  expected: ErrorClass<E> | string | undefined,
  msgIncludes = "",
): unknown {
  if (typeof expected !== "function") return thrown;
  // the cause shows where the unexpected error came from
  if (!(thrown instanceof expected) || !thrown.message.includes(msgIncludes)) {
    const message = `Expected ${expected.name} with ${inspect(msgIncludes)}, got ${inspect(thrown)}`;
    throw new AssertionError(message, { cause: thrown });
  }
  return thrown;
}
