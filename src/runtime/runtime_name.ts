/** Which runtime this is. */

import process from "node:process";

export type RuntimeName = "bun" | "deno" | "node";

export function findRuntimeName(): RuntimeName {
  const { versions } = process;
  return versions["bun"] !== undefined ? "bun" : versions["deno"] !== undefined ? "deno" : "node";
}

/** Returns the name with the version, for example `node 20.20.2`. */
export function describeRuntime(): string {
  const name = findRuntimeName();
  return `${name} ${process.versions[name]}`;
}
