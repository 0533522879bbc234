/** Replaces null by undefined, with which the test kit removes a member or restores a default. JSON has only null. */

export function withoutNulls<T extends object>(
  given: T,
): { readonly [name in keyof T]: Exclude<T[name], null> | undefined } {
  const members = Object.entries(given).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(members) as { [name in keyof T]: Exclude<T[name], null> | undefined };
}
