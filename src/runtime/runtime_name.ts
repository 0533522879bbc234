/** Which runtime this is. */

import process from "node:process";

export type RuntimeName = "bun" | "deno" | "node";

export function findRuntimeName(): RuntimeName {
  const { versions } = process;
  return versions["bun"] !== undefined ? "bun" : versions["deno"] !== undefined ? "deno" : "node";
}
