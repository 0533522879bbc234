/** Hides the private members of JSON Web Keys in a text that is JSON, or that has JSON in it (RFC 7517 §9.2). */

import { privateMembers } from "../crypto/jwk.ts";
import type { JsonObject } from "../schema/json_object.ts";

const names: ReadonlySet<string> = new Set(privateMembers);

/** Whether only the owner of a key may know the member of the object. */
export function isPrivateMember(name: string, object: JsonObject): boolean {
  return names.has(name) && Object.hasOwn(object, "kty");
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** An object or a list that the text has opened. */
interface Open {
  isKey: boolean;
  /** Where the value of the private member begins that is being read. */
  start: number | undefined;
  /** The values that are private if the object is a key. */
  readonly values: Range[];
}

const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[{}[\],:]/g;

/** Replaces each private member of an object with `kty` by `replacement`, which is JSON. All other text stays. */
export function hidePrivateMembers(text: string, replacement: string): string {
  if (!text.includes("{")) return text;
  const shown = replaceRanges(text, findPrivate(text), replacement);
  return shown.replace(tokens, (token) => token.includes("{", 1) ? hideInString(token, replacement) : token);
}

/** The string of JSON may have JSON in it. */
function hideInString(token: string, replacement: string): string {
  const text = parseString(token);
  const shown = text && hidePrivateMembers(text, replacement);
  return shown === text ? token : JSON.stringify(shown);
}

/** Returns the values of private members. One inside of another comes after it. */
function findPrivate(text: string): readonly Range[] {
  const open: Open[] = [];
  const found: Range[] = [];
  let name = "";

  function endValue(end: number): void {
    const { start, values } = open.at(-1) ?? {};
    if (start === undefined) return;
    values!.push({ start, end });
    open.at(-1)!.start = undefined;
  }

  function close(end: number): void {
    endValue(end);
    const { isKey, values = [] } = open.pop() ?? {};
    if (isKey) found.push(...values);
  }

  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === "{" || token === "[") open.push({ isKey: false, start: undefined, values: [] });
    else if (token === "}" || token === "]") close(index);
    else if (token === ",") endValue(index);
    else if (token !== ":") name = token;
    else if (inside !== undefined) {
      const member = parseString(name) ?? name;
      if (member === "kty") inside.isKey = true;
      if (names.has(member)) inside.start = index + 1;
    }
  }
  // The text is cut, and the rest may have had `kty`.
  while (open.length > 0) {
    endValue(text.length);
    found.push(...open.pop()!.values);
  }
  return found.sort((left, right) => left.start - right.start);
}

function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  let shown = "";
  let from = 0;
  for (const { start, end } of ranges) {
    if (start < from) continue;
    const space = /^\s*/.exec(text.slice(start, end))![0];
    shown += text.slice(from, start) + space + replacement;
    from = end;
  }
  return shown + text.slice(from);
}

function parseString(token: string): string | undefined {
  try {
    return String(JSON.parse(token));
  } catch {
    return undefined;
  }
}
