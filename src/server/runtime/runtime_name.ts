/** Which runtime this is. */

export type RuntimeName = "bun" | "deno" | "node";

// An import of node:process makes Node open the standard streams, which takes as long as a few logins.
const readVersions = () => globalThis.process.versions;

export function findRuntimeName(): RuntimeName {
  const versions = readVersions();
  return versions["bun"] !== undefined ? "bun" : versions["deno"] !== undefined ? "deno" : "node";
}

/** Returns the name with the version, for example `node 20.20.2`. */
export function describeRuntime(): string {
  const name = findRuntimeName();
  return `${name} ${readVersions()[name]}`;
}
