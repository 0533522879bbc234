/** Words by the names of what they explain. A Map, because a client may send any name, also `constructor`. */

export type ByName<Value = string> = ReadonlyMap<string, Value>;

export function byName<Value>(values: Readonly<Record<string, Value>>): ByName<Value> {
  return new Map(Object.entries(values));
}
