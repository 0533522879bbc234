/** The value in an error: quoted where it cannot be a secret, and otherwise named by its type or left out. */

import { tagOf } from "./json_object.ts";
import { splitPlace } from "./place.ts";

/** Also the private members of a JWK (RFC 7517, RFC 7518 §6). */
const secretMember =
  /secret|password|jwk|clientKey|^(token|\w+_token|keys|signingKeys|d|k|p|q|dp|dq|qi|oth)$/i;

const longest = 100;

/** `undefined`: the value may be a secret, so an error does not mention it. */
export function describeReceived(place: string, value: unknown): string | undefined {
  if (splitPlace(place).some((member) => secretMember.test(member))) return undefined;
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  if (typeof value !== "string") return describeType(value);
  // A URL may hold a name and a password, and its query may hold anything.
  if (value.includes("@")) return undefined;
  const shown = value.replace(/(?<=[?#]).+$/s, "").slice(0, longest);
  return JSON.stringify(shown === value ? value : `${shown}…`);
}

/** `a string`, `an array`, `a Map`: nothing of what the value holds. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value !== "object") return withArticle(typeof value);
  const tag = tagOf(value);
  if (tag === "Promise") return "a promise: await it first";
  return tag === "Object" || tag === "Array" ? withArticle(tag.toLowerCase()) : withArticle(tag);
}

export function withArticle(noun: string): string {
  return /^[aeio]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Puts the value before the reason, where there is one: `must be https, not "http://a.example": http is for …`. */
export function withReceived(problem: string, received: string | undefined): string {
  // "must not be empty" and "must name a host" do not go on that way.
  if (received === undefined || !/^must (be|look like) /.test(problem)) return problem;
  const [demand, ...reason] = problem.split(": ");
  return [`${demand}, not ${received}`, ...reason].join(": ");
}
