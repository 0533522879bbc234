/** Describes received values in errors. A value that may be a secret is described by its type or left out. */

import { splitPlace, tagOf } from "./json_object.ts";
import { sayCount } from "../values/say_count.ts";

/** Names of members that hold secrets. They include the private members of a JWK (RFC 7517, RFC 7518 §6). */
const secretMember =
  /secret|password|jwk|(client|decryption)Key|^(token|\w+_token|keys|signingKeys?|d|k|p|q|dp|dq|qi|oth)$/i;

/** Describes the value at a place. Returns `undefined` if the value may be a secret. */
export function describeReceived(place: string, value: unknown): string | undefined {
  if (mayBeSecret(place)) return undefined;
  if (typeof value !== "string") return describeValue(value);
  // A URL may contain a user name and a password, which end with an @. Its query and fragment may contain secrets.
  return value.includes("@") ? undefined : describeValue(value.replace(/(?<=[?#]).+$/s, "…"), 100);
}

export function mayBeSecret(place: string): boolean {
  return splitPlace(place).some((member) => secretMember.test(member));
}

/** Describes a value that cannot be a secret. Text is quoted and cut after `maxLength` characters. */
export function describeValue(value: unknown, maxLength = 40): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > maxLength ? `${value.slice(0, maxLength)}…` : value);
  }
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : describeType(value);
}

/** Returns a text as it is, and describes the type of another value. */
export function describeText(value: unknown): string {
  return typeof value === "string" ? value : describeType(value);
}

/** A text that a program made from a missing value, such as `undefined`, is no secret. */
export function describeSecretText(text: string): string {
  if (isMissingValue(text)) return `the text ${text}`;
  return sayCount(text.length, "character");
}

/** Whether a program probably made this text from a missing value or from an object. */
export function isMissingValue(text: string): boolean {
  return ["undefined", "null", "NaN", "[object Object]"].includes(text);
}

/** Describes the type of a value without its content: `a string`, `an array` or `a Map`. */
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

/** The received value stands before the reason: `must be https, not "http://a.example": http is for …`. */
export function withReceived(problem: string, received: string | undefined): string {
  // Adds nothing to other problems, because "must not be empty, not …" is not a sentence.
  if (received === undefined || !/^must (be|look like) /.test(problem)) return problem;
  const [demand, ...reason] = problem.split(": ");
  return [`${demand}, not ${received}`, ...reason].join(": ");
}
