/** Members that an object has only if their values are not `undefined`. */
export type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns the members whose values are not `undefined`: `{ ...present({ state }) }` has no `state` without a state. */
export function present<Members extends object>(members: Members): Present<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<Members>;
}
