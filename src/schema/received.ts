/** What came instead of what was expected: quoted where it can be no secret, and else by its kind or not at all. */

import { splitPlace } from "./place.ts";

// Of a key in JSON (RFC 7517, RFC 7518 §6), too.
const secretMember = /secret|password|jwk|^(keys|signingKeys|d|k|p|q|dp|dq|qi|oth)$/i;

const longest = 100;

/** `place` as in `clients[0].client_id`. `undefined`: nothing may be said of what stands there. */
export function describeReceived(place: string, value: unknown): string | undefined {
  if (splitPlace(place).some((member) => secretMember.test(member))) return undefined;
  if (typeof value !== "string") return isQuotable(value) ? `${value}` : describeType(value);
  // A URL may hold a name and a password, and anything in its query.
  if (value.includes("@")) return undefined;
  const shown = value.replace(/(?<=[?#]).+$/s, "").slice(0, longest);
  return JSON.stringify(shown === value ? value : `${shown}…`);
}

/** For what may hold anything: in words, without any of it. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (Array.isArray(value)) return "an array";
  return /^[aeiou]/.test(typeof value) ? `an ${typeof value}` : `a ${typeof value}`;
}

function isQuotable(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}
