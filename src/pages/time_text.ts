/** Writes durations and points in time for people. */

import { formatDuration } from "../schema/format_duration.ts";

/** Returns text such as "+12 ms". */
export function describeStep(seconds: number): string {
  return `${seconds < 0 ? "−" : "+"}${formatDuration(seconds)}`;
}

/** Returns text such as "2027-01-15 08:00:00 UTC". */
export function describeMoment(seconds: number): string {
  const date = new Date(Math.round(seconds * 1000));
  return Number.isNaN(date.getTime()) ? "?" : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
