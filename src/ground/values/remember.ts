/** Values that are made once for each key. */

interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key. `create` makes it the first time. */
export function remember<Key, Value>(known: Known<Key, Value>, key: Key, create: () => Value): Value {
  const value = known.get(key) ?? create();
  known.set(key, value);
  return value;
}
