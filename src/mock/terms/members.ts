/** Objects with members, as JSON has them: what may be read as one, and what only looks like it. */

import type { Members } from "../../oauth/members.ts";

/** Whatever is more than members, such as a list, a Map, a promise or a Response, would be read as an empty object. */
export function isMembers(value: unknown): value is Members {
  return kindOf(value) === "[object Object]";
}

/** Not by its class: each realm, and each runner that plays a browser, has classes of its own. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

/** `undefined`: it is no JSON, or no object. */
export function parseMembers(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
