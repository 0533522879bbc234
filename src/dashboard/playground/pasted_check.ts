/** Writes a check of a pasted text for the page. */

import type { PastedCheck, PastedCheckName } from "../../pages/playground/playground_props.ts";
import { present } from "../../present.ts";

// In characters.
const longestValue = 500;

export function decide(
  name: PastedCheckName,
  isMet: boolean | undefined,
  { expected, received, rule }: {
    readonly expected?: string | undefined;
    readonly received?: unknown;
    readonly rule?: string | undefined;
  },
): PastedCheck {
  return {
    name,
    result: isMet === undefined ? "open" : isMet ? "passed" : "failed",
    ...present({ expected }),
    ...(received === undefined ? {} : { received: write(received) }),
    ...present({ rule }),
  };
}

function write(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
