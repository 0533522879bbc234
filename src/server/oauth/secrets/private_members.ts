/** Hides the private members of JSON Web Keys in a text that is JSON, or that has JSON in it (RFC 7517 §9.2). */

import { privateMembers } from "../../../ground/crypto/jwk.ts";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import { attempt } from "../../../ground/values/attempt.ts";

const names: ReadonlySet<string> = new Set(privateMembers);

/** The other members of keys (RFC 7517 §4, RFC 7518 §6, RFC 9964). `oth` has no other meaning either. */
const signs: ReadonlySet<string> = new Set(
  ["kty", "use", "key_ops", "alg", "kid", "crv", "x", "y", "n", "e", "pub", "oth"],
);

/** Whether only the owner of a key may know the member of the object. A key may lack `kty`, which it must have. */
export function isPrivateMember(name: string, object: JsonObject): boolean {
  return names.has(name) && (isMaterial(object[name]) || Object.keys(object).some((each) => signs.has(each)));
}

/** Whether a text is long enough to be a key of 128 bits in base64 or base64url. */
function isMaterial(value: unknown): boolean {
  return typeof value === "string" && /^[\w+/-]{22,}=*$/.test(value);
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

/** Replaces each private member of a key by `replacement`, which is JSON. All other text stays. */
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
    const value = text.slice(start, end).trimStart();
    (value.startsWith('"') && isMaterial(parseString(value)) ? found : values!).push({ start, end });
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
      if (signs.has(member)) inside.isKey = true;
      if (names.has(member)) inside.start = index + 1;
    }
  }
  // The text is cut, and the rest may have had other members of a key.
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
  return attempt(() => String(JSON.parse(token)));
}
