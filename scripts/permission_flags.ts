/** Turns a permission set of deno.json into flags, for `deno compile`, which does not read deno.json here. */

/** A permission is granted as a whole, for a list of names, or for a list with the other names ignored. */
type Permission = true | readonly string[] | { readonly allow: readonly string[]; readonly ignore: true };

export type PermissionSet = Readonly<Record<string, Permission>>;

export function listPermissionFlags(permissions: PermissionSet): readonly string[] {
  return Object.entries(permissions).flatMap(([name, permission]) => {
    if (permission === true) return [`--allow-${name}`];
    if (!("allow" in permission)) return [`--allow-${name}=${permission.join()}`];
    return [`--allow-${name}=${permission.allow.join()}`, `--ignore-${name}`];
  });
}
