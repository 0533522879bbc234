/** The functions of `node:assert/strict` that the contract of stores uses, for a page. */

export function ok(value: unknown, message = "expected a truthy value"): asserts value {
  if (!value) throw new Error(message);
}

export function deepStrictEqual(actual: unknown, expected: unknown, message = ""): void {
  ok(isEqual(actual, expected), `${message} expected ${show(expected)}, not ${show(actual)}`);
}

export function notDeepStrictEqual(actual: unknown, other: unknown): void {
  ok(!isEqual(actual, other), `expected something else than ${show(other)}`);
}

type Expected = RegExp | (new (message?: string) => Error);

export async function rejects(work: () => Promise<unknown>, expected?: Expected): Promise<void> {
  let thrown: unknown;
  try {
    await work();
  } catch (error) {
    thrown = error;
  }
  const isExpected = expected instanceof RegExp
    ? expected.test(`${thrown}`)
    : thrown instanceof (expected ?? Error);
  ok(isExpected, `expected the error ${expected}, not ${thrown}`);
}

function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return Object.is(left, right);
  }
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (left instanceof Map && right instanceof Map) {
    return left.size === right.size && [...left].every(([key, value]) => isEqual(value, right.get(key)));
  }
  const names = Object.keys(left);
  return names.length === Object.keys(right).length &&
    names.every((name) =>
      Object.hasOwn(right, name) && isEqual(Reflect.get(left, name), Reflect.get(right, name))
    );
}

function show(value: unknown): string {
  return (JSON.stringify(value instanceof Map ? [...value] : value) ?? `${value}`).slice(0, 500);
}
