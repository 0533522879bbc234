/** Turns permission sets of deno.json into flags, for `deno compile`, which does not read deno.json here. */

/** A permission is granted as a whole, for some names, or for some names with the others ignored. */
type Permission = true | readonly string[] | { readonly allow: readonly string[]; readonly ignore: true };

export type PermissionSet = Readonly<Record<string, Permission>>;

/** Returns the flags that grant the permissions of every set. */
export function listPermissionFlags(...sets: readonly PermissionSet[]): readonly string[] {
  const names = new Set(sets.flatMap((set) => Object.keys(set)));
  return [...names].flatMap((name) => {
    const permissions = sets.map((set) => set[name]).filter((permission) => permission !== undefined);
    // The command line of Deno does not know the name "ca", which the configuration file may have.
    if (permissions.includes(true) || name === "sys") return [`--allow-${name}`];
    const allowed = new Set(permissions.flatMap(listAllowed));
    const ignores = permissions.some((permission) =>
      typeof permission === "object" && "ignore" in permission
    );
    return [`--allow-${name}=${[...allowed].join()}`, ...(ignores ? [`--ignore-${name}`] : [])];
  });
}

function listAllowed(permission: Permission): readonly string[] {
  if (permission === true) return [];
  return "allow" in permission ? permission.allow : permission;
}
