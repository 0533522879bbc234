/** Which runtime this is, and which file it runs. */

export type RuntimeName = "browser" | "bun" | "deno" | "node";

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

/** In `bun test`, which runs all files in one process, this is the file of the test that runs. */
export function findMainFile(): string | undefined {
  const { Bun, process } = globalThis as typeof globalThis & { readonly Bun?: { readonly main: string } };
  return Bun?.main ?? process.argv[1];
}
