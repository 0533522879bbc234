/** Reads what a person has pasted: without what was copied with it, and as parameters if it is an address. */

import { present } from "../../../ground/values/present.ts";

// In characters. A JWT of the server has less than half.
export const longestText = 64_000;

/** The parameters of an address, or of a text such as `?code=…`. */
export interface PastedParams {
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** Absent: the text is not a complete address. */
  readonly url?: URL;
}

/** Removes what people copy with a text: the name of a header, quotes, and line breaks in a token. */
export function unwrap(pasted: string): string {
  const text = pasted.trim()
    .replace(/^(authorization|dpop|location)\s*:\s*/i, "")
    .replace(/^(bearer|dpop)\s+/i, "")
    .replace(/^(["'`<])(.*)["'`>]$/s, "$2")
    .trim();
  return /^[\w.\s-]+$/.test(text) && text.includes(".") ? text.replace(/\s+/g, "") : text;
}

export function readParams(text: string): PastedParams | undefined {
  if (/\s/.test(text)) return undefined;
  const url = /^[a-z][\w+.-]*:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  // A fragment holds the parameters of response_mode=fragment.
  const written = url === undefined
    ? text.replace(/^[^?#=]*[?#]/, "")
    : url.hash.includes("=")
    ? url.hash.slice(1)
    : url.search.slice(1);
  const pairs = [...new URLSearchParams(written)];
  const hasNames = pairs.some(([name, value]) => value !== "" && /^[a-z][\w.-]{0,60}$/i.test(name));
  return hasNames ? { pairs, ...present({ url }) } : undefined;
}
