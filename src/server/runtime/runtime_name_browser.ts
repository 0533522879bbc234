/** The name of the runtime of a web page. */

import type { RuntimeName } from "./runtime_name.ts";

export function findRuntimeName(): RuntimeName {
  return "browser";
}

export function describeRuntime(): string {
  return globalThis.navigator.userAgent;
}

/** A page has no main file. */
export function findMainFile(): undefined {
  return undefined;
}
