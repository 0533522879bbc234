/**
 * Places are positions in a value, written as in JavaScript: `clients[0].redirect_uris[1]` or
 * `claims["https://a.test/role"]`.
 */

/** Returns the place of a member of the object at `place`. */
export function placeOfMember(place: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${place}[${JSON.stringify(name)}]`;
  return place === "" ? name : `${place}.${name}`;
}

/** Splits a place into names and indexes: `clients[0].scope` is `clients`, `0` and `scope`. */
export function splitPlace(place: string): readonly string[] {
  return [...place.matchAll(/\[("(?:\\.|[^"\\])*")\]|[^.[\]]+/g)].map(([found, quoted]) =>
    quoted === undefined ? found : JSON.parse(quoted) as string
  );
}

/** Returns the value at a place inside `value`, or `undefined` if the place does not exist. */
export function findAt(place: string, value: unknown): unknown {
  return splitPlace(place).reduce(
    (found, name) => Object.hasOwn(Object(found), name) ? Object(found)[name] : undefined,
    value,
  );
}
