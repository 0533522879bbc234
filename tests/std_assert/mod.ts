/**
 * Stands in for `jsr:@std/assert@^1` with the functions that the tests use, because some machines reach npm and not JSR.
 * One line takes the real one: `sed -i '/"links"/d' dev.json && deno install --config dev.json`.
 */
import { describe, describeDifference } from "./describe.ts";
import { equal } from "./equal.ts";

export { equal };

/** The error of a failed assertion. */
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AssertionError";
  }
}

type ErrorClass<E extends Error> = new (...args: never[]) => E;

type Falsy = false | 0 | 0n | "" | null | undefined;

export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) {
    throw new AssertionError(
      msg || `Expected a truthy value, got ${describe(expr)}`,
    );
  }
}

export function assertFalse(expr: unknown, msg = ""): asserts expr is Falsy {
  if (expr) {
    throw new AssertionError(
      msg || `Expected a falsy value, got ${describe(expr)}`,
    );
  }
}

export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (equal(actual, expected)) return;
  throw new AssertionError(
    `Values are not equal${ending(msg)}\n\n${describeDifference(actual, expected)}`,
  );
}

export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!equal(actual, expected)) return;
  throw new AssertionError(
    `Expected actual to differ from ${describe(expected)}${ending(msg)}`,
  );
}

export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  const difference = describe(actual) === describe(expected)
    ? `    Equal in content, but not the same value: ${describe(actual)}\n`
    : describeDifference(actual, expected);
  throw new AssertionError(
    `Values are not strictly equal${ending(msg)}\n\n${difference}`,
  );
}

export function assertNotStrictEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (!Object.is(actual, expected)) return;
  throw new AssertionError(
    `Expected actual not to be the same value as ${describe(expected)}${ending(msg)}`,
  );
}

export function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  throw new AssertionError(`Expected a value, got ${actual}${ending(msg)}`);
}

export function assertInstanceOf<
  T extends abstract new (...args: never[]) => unknown,
>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  const found = typeof actual === "object" && actual !== null ? actual.constructor?.name : describe(actual);
  throw new AssertionError(
    `Expected an instance of ${expectedType.name}, got ${found}${ending(msg)}`,
  );
}

export function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (expected.test(actual)) return;
  throw new AssertionError(
    `Expected ${describe(actual)} to match ${expected}${ending(msg)}`,
  );
}

export function assertNotMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (!expected.test(actual)) return;
  throw new AssertionError(
    `Expected ${describe(actual)} not to match ${expected}${ending(msg)}`,
  );
}

export function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void {
  if (actual.includes(expected)) return;
  throw new AssertionError(
    `Expected ${describe(actual)} to contain ${describe(expected)}${ending(msg)}`,
  );
}

export function assertArrayIncludes<T>(
  actual: ArrayLike<T> & object,
  expected: ArrayLike<T> & object,
  msg?: string,
): void {
  const present = Array.from(actual);
  const missing = Array.from(expected).filter((item) => !present.some((candidate) => equal(candidate, item)));
  if (missing.length === 0) return;
  throw new AssertionError(
    `Expected ${describe(present)} to include ${describe(missing)}${ending(msg)}`,
  );
}

/** Every member of `expected` must be in `actual`, at any depth. `actual` may have more members. */
export function assertObjectMatch(
  actual: object,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void {
  const part = pick(actual, expected, new Map());
  const wanted = pick(expected, expected, new Map());
  if (equal(part, wanted)) return;
  throw new AssertionError(
    `Object does not match${ending(msg)}\n\n${describeDifference(part, wanted)}`,
  );
}

export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual > expected)) throw comparison(actual, ">", expected, msg);
}

export function assertGreaterOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (!(actual >= expected)) throw comparison(actual, ">=", expected, msg);
}

export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual < expected)) throw comparison(actual, "<", expected, msg);
}

export function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (!(actual <= expected)) throw comparison(actual, "<=", expected, msg);
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
  const message = typeof classOrMessage === "string" ? classOrMessage : msg;
  try {
    fn();
  } catch (thrown) {
    if (typeof classOrMessage === "function") {
      checkError(thrown, classOrMessage, msgIncludes, message);
    }
    return thrown;
  }
  throw new AssertionError(`Expected the function to throw${ending(message)}`);
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
  const message = typeof classOrMessage === "string" ? classOrMessage : msg;
  let promise: PromiseLike<unknown>;
  try {
    promise = fn();
  } catch (cause) {
    throw new AssertionError(
      `Expected a rejected promise, but the function threw${ending(message)}`,
      { cause },
    );
  }
  if (typeof promise?.then !== "function") {
    throw new AssertionError(
      `Expected a rejected promise, got ${describe(promise)}${ending(message)}`,
    );
  }
  try {
    await promise;
  } catch (reason) {
    if (typeof classOrMessage === "function") {
      checkError(reason, classOrMessage, msgIncludes, message);
    }
    return reason;
  }
  throw new AssertionError(
    `Expected the promise to be rejected${ending(message)}`,
  );
}

export function fail(msg?: string): never {
  throw new AssertionError(`Failed${ending(msg)}`);
}

export function unreachable(reason?: string): never {
  throw new AssertionError(reason ? `Unreachable: ${reason}` : "Unreachable");
}

function ending(msg: string | undefined): string {
  return msg ? `: ${msg}` : ".";
}

function comparison(
  actual: unknown,
  sign: string,
  expected: unknown,
  msg: string | undefined,
): AssertionError {
  return new AssertionError(
    msg ?? `Expected ${describe(actual)} ${sign} ${describe(expected)}`,
  );
}

function checkError<E extends Error>(
  thrown: unknown,
  errorClass: ErrorClass<E>,
  msgIncludes: string | undefined,
  msg: string | undefined,
): void {
  // the cause shows where the unexpected error came from
  if (!(thrown instanceof Error)) {
    throw new AssertionError(
      `Expected an Error, got ${describe(thrown)}${ending(msg)}`,
      { cause: thrown },
    );
  }
  if (!(thrown instanceof errorClass)) {
    throw new AssertionError(
      `Expected ${errorClass.name}, got ${describe(thrown)}${ending(msg)}`,
      { cause: thrown },
    );
  }
  if (msgIncludes && !thrown.message.includes(msgIncludes)) {
    const wanted = `Expected the error's message to include ${describe(msgIncludes)}`;
    throw new AssertionError(
      `${wanted}, got ${describe(thrown.message)}${ending(msg)}`,
      { cause: thrown },
    );
  }
}

function pick(
  from: unknown,
  like: unknown,
  underWay: Map<unknown, unknown>,
): unknown {
  const bothObjects = typeof from === "object" && from !== null &&
    typeof like === "object" && like !== null;
  if (
    !bothObjects || from instanceof Date || from instanceof RegExp ||
    from instanceof URL
  ) return from;
  if (underWay.has(like)) return underWay.get(like);
  if (from instanceof Map && like instanceof Map) {
    return new Map(
      [...from].filter(([key]) => like.has(key)).map((
        [key, item],
      ) => [key, pick(item, like.get(key), underWay)]),
    );
  }
  if (from instanceof Set && like instanceof Set) {
    return new Set([...from].filter((item) => like.has(item)));
  }
  const picked: Record<PropertyKey, unknown> = {};
  underWay.set(like, picked);
  for (const key of Reflect.ownKeys(from)) {
    if (key !== "length" && key in like) {
      picked[key] = pick(
        Reflect.get(from, key),
        Reflect.get(like, key),
        underWay,
      );
    }
  }
  return picked;
}
