/** The functions of `node:assert/strict` that the stand-in and the contract of stores use, for a page. */

export function ok(value: unknown, message = "expected a truthy value"): asserts value {
  if (!value) throw new Error(message);
}

export function strictEqual(actual: unknown, expected: unknown, message = ""): void {
  if (!Object.is(actual, expected)) failWith(actual, expected, message);
}

export function deepStrictEqual(actual: unknown, expected: unknown, message = ""): void {
  if (!isEqual(actual, expected)) failWith(actual, expected, message);
}

export function notDeepStrictEqual(actual: unknown, other: unknown): void {
  if (isEqual(actual, other)) throw new Error(`expected something else than ${show(other)}`);
}

function failWith(actual: unknown, expected: unknown, message: string): never {
  throw new Error(`${message} expected ${show(expected)}, not ${show(actual)}`.trim());
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

export function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return Object.is(left, right);
  }
  if (left === right) return true;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  const [parts, others] = [left, right].map(partsOf) as [Parts, Parts];
  return parts.size === others.size &&
    [...parts].every(([name, part]) => others.has(name) && isEqual(part, others.get(name)));
}

type Parts = ReadonlyMap<unknown, unknown>;

/** Returns what two objects of one class are compared by. Throws where nothing of them can be read. */
function partsOf(value: object): Parts {
  const parts = new Map<unknown, unknown>(Object.entries(value));
  if (value instanceof Map) return value;
  if (value instanceof Set) return new Map([...value].map((each) => [each, true]));
  if (value instanceof Error) {
    return new Map([...parts, ["name", value.name], ["message", value.message], ["cause", value.cause]]);
  }
  if (value instanceof Date || value instanceof URL || value instanceof RegExp) {
    return new Map([["", `${value}`]]);
  }
  const isPlain = Array.isArray(value) || ArrayBuffer.isView(value) ||
    [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain && parts.size === 0) throw new TypeError(`Cannot compare ${value.constructor.name} in a page`);
  return parts;
}

export function show(value: unknown): string {
  if (typeof value === "function" || value instanceof Error) return `${value}`;
  const above: unknown[] = [];
  const text = JSON.stringify(value, function (this: unknown, _name, part) {
    above.length = above.indexOf(this) + 1;
    if (above.includes(part)) return "(circular)";
    above.push(part);
    if (part instanceof Map || part instanceof Set) return [...part];
    return typeof part === "bigint" || part instanceof Error ? `${part}` : part;
  });
  return (text ?? `${value}`).slice(0, 2000);
}
