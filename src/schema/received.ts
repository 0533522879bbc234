/** The value in an error: quoted where it cannot be a secret, and otherwise named by its type or left out. */

import { tagOf } from "./json_object.ts";
import { splitPlace } from "./place.ts";

/** Also the private members of a JWK (RFC 7517, RFC 7518 §6). */
const secretMember =
  /secret|password|jwk|clientKey|^(token|\w+_token|keys|signingKeys|d|k|p|q|dp|dq|qi|oth)$/i;

/** `undefined`: the value may be a secret, so an error does not mention it. */
export function describeReceived(place: string, value: unknown): string | undefined {
  if (splitPlace(place).some((member) => secretMember.test(member))) return undefined;
  if (typeof value !== "string") return describeValue(value);
  // A URL may hold a name and a password, and its query may hold anything.
  return value.includes("@") ? undefined : describeValue(value.replace(/(?<=[?#]).+$/s, "…"), 100);
}

/** For a value that cannot be a secret. */
export function describeValue(value: unknown, longest = 40): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
  }
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : describeType(value);
}

/** `a string`, `an array`, `a Map`: nothing of what the value holds. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value !== "object") return withArticle(typeof value);
  const tag = tagOf(value);
  if (tag === "Promise") return "a promise: await it first";
  if (tag === "Date" && Number.isNaN(Number(value))) return "an invalid Date";
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
