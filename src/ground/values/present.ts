/** Members that an object has only if their values are not `undefined`. */
export type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns the members whose values are not `undefined`: `{ ...present({ state }) }` has no `state` without a state. */
export function present<const Members extends object>(members: Members): Present<Members> {
  // A loop takes a fifth of the time of Object.fromEntries, and this is called many times for each request.
  const found: Present<Members> = {};
  for (const name of Object.keys(members) as (keyof Members)[]) {
    const value = members[name] as Exclude<Members[keyof Members], undefined>;
    if (value === undefined) continue;
    // An assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(found, name, { value, enumerable: true });
    else found[name] = value;
  }
  return found;
}
