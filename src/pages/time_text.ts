/** Writes durations and points in time for people. */

import type { Words } from "./words/english.ts";

/** The words of a page. Numbers depend on their language. */
type Spoken = Pick<Words, "language">;

/** Returns text such as "12 ms", "3.4 s" (in German "3,4 s"), "5 min 2 s" or "2 d 3 h". The sign is left out. */
export function describeDuration(seconds: number, words: Spoken): string {
  const length = Math.abs(seconds);
  if (length < 0.9995) return `${Math.round(length * 1000)} ms`;
  if (length < 60) return `${writeDecimal(Number(length.toFixed(length < 10 ? 1 : 0)), words)} s`;
  const [days, hours, minutes, rest] = [length / 86_400, length / 3600 % 24, length / 60 % 60, length % 60]
    .map(Math.floor) as [number, number, number, number];
  const parts = [[days, "d"], [hours, "h"], [minutes, "min"], [rest, "s"]] as const;
  const first = parts.findIndex(([number]) => number > 0);
  return parts.slice(first, first + 2).filter(([number]) => number > 0).map((part) => part.join(" ")).join(
    " ",
  );
}

function writeDecimal(number: number, { language }: Spoken): string {
  return language === "de" ? String(number).replace(".", ",") : String(number);
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
