/** What came instead of what was expected, for the messages of the kit. */

import { types } from "node:util";

/** As one would write it, or in words. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.replace(/(?<=^.{40}).+/s, "…"));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (types.isPromise(value)) return "a promise: await it first";
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? "an invalid Date" : "a Date";
  return Array.isArray(value) ? "an array" : "an object";
}

/** The same where a secret may stand in the wrong place: of text only that it is text. */
export function describeKind(value: unknown): string {
  return typeof value === "string" ? "text" : describeValue(value);
}
