/** Replaces a name that a caller may use by the name that the control plane has for the same value. */

/** Returns the name itself if it is no alias. */
export function properName(name: string, aliases: Readonly<Record<string, string>>): string {
  return Object.hasOwn(aliases, name) ? aliases[name]! : name;
}
