/** Writes durations and points in time for people. */

import { formatDuration } from "../schema/format_duration.ts";
import type { Words } from "./words/english.ts";

/** The words of a page. Numbers depend on their language. */
type Spoken = Pick<Words, "language">;

/** Returns text such as "12 ms", "3.4 s" (in German "3,4 s"), "5 min 2 s" or "2 d 3 h". The sign is left out. */
export function describeDuration(seconds: number, { language }: Spoken): string {
  const text = formatDuration(seconds);
  return language === "de" ? text.replace(".", ",") : text;
}

/** Returns text such as "+12 ms". */
export function describeStep(seconds: number, words: Spoken): string {
  return `${seconds < 0 ? "−" : "+"}${describeDuration(seconds, words)}`;
}

/** Returns text such as "2027-01-15 08:00:00 UTC". */
export function describeMoment(seconds: number): string {
  const date = new Date(Math.round(seconds * 1000));
  return Number.isNaN(date.getTime()) ? "?" : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
