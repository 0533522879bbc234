/** Deep equality as in @std/assert: same constructor, same own keys, same contents. */

/** Whether two values are deeply equal. Cycles are followed once. */
export function equal(left: unknown, right: unknown): boolean {
  return compare(left, right, new Map());
}

function compare(
  left: unknown,
  right: unknown,
  underWay: Map<object, object>,
): boolean {
  // `===` makes 0 equal -0, and Object.is makes NaN equal NaN.
  if (left === right || Object.is(left, right)) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (constructorOf(left) !== constructorOf(right)) return false;
  if (left instanceof Date && right instanceof Date) {
    return Object.is(left.getTime(), right.getTime());
  }
  if (left instanceof RegExp || left instanceof URL) {
    return String(left) === String(right);
  }
  if (left instanceof WeakMap || left instanceof WeakSet) {
    throw new TypeError(
      `Cannot compare ${constructorOf(left).name}: its contents cannot be read`,
    );
  }
  if (left instanceof WeakRef && right instanceof WeakRef) {
    return compare(left.deref(), right.deref(), underWay);
  }
  if (underWay.get(left) === right) return true;
  underWay.set(left, right);
  if (left instanceof Error && right instanceof Error) {
    if (left.name !== right.name || left.message !== right.message) {
      return false;
    }
  }
  if (left instanceof Map && right instanceof Map) {
    if (!sameEntries([...left], [...right], underWay)) return false;
  }
  if (left instanceof Set && right instanceof Set) {
    if (!sameEntries([...left], [...right], underWay)) return false;
  }
  const keys = ownKeys(left);
  if (keys.length !== ownKeys(right).length) return false;
  return keys.every((key) =>
    Object.hasOwn(right, key) &&
    compare(Reflect.get(left, key), Reflect.get(right, key), underWay)
  );
}

function sameEntries(
  left: unknown[],
  right: unknown[],
  underWay: Map<object, object>,
): boolean {
  if (left.length !== right.length) return false;
  const free = [...right];
  return left.every((entry) => {
    // a pairing that fails is forgotten, because a later one would treat it as proven
    const found = free.findIndex((candidate) => compare(entry, candidate, new Map(underWay)));
    if (found >= 0) free.splice(found, 1);
    return found >= 0;
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

// An object without a prototype counts as a plain object.
function constructorOf(value: object): { readonly name: string } {
  return value.constructor ?? Object;
}

function ownKeys(value: object): PropertyKey[] {
  const symbols = Object.getOwnPropertySymbols(value);
  return [
    ...Object.keys(value),
    ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)),
  ];
}
