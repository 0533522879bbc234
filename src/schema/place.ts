/** Positions in a value, written as in JavaScript: `clients[0].redirect_uris[1]`, `claims["https://a.test/role"]`. */

/** The place of a member of the object at `place`. */
export function placeOfMember(place: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${place}[${JSON.stringify(name)}]`;
  return place === "" ? name : `${place}.${name}`;
}

/** The names and numbers that lead to a place, from the outermost. */
export function splitPlace(place: string): readonly string[] {
  return [...place.matchAll(/\[("(?:\\.|[^"\\])*")\]|[^.[\]]+/g)].map(([found, quoted]) =>
    quoted === undefined ? found : JSON.parse(quoted) as string
  );
}

/** The value at a place in another value. `undefined`: there is none. */
export function findAt(place: string, value: unknown): unknown {
  return splitPlace(place).reduce((found, name) => Object(found)[name], value);
}
