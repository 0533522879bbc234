/** Reads durations: numbers are seconds, and text has units, as in "1d 3h". */

import { describeValue } from "../../schema/received.ts";
import { WrongTerm } from "./wrong_term.ts";

/** A number of seconds, or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m". */
export type Duration = number | string;

const millisecondsIn = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

type Unit = keyof typeof millisecondsIn;

const wholeText = /^[+-]?\d+(?:\.\d+)?(?:ms|[dhms])(?: *\d+(?:\.\d+)?(?:ms|[dhms]))*$/;
const eachPart = /(\d+(?:\.\d+)?)(ms|[dhms])/g;

/** Returns seconds. The sign applies to the whole duration: "-1d 3h" is -27 hours. */
export function readDuration(duration: Duration): number {
  const seconds = typeof duration === "number"
    ? duration
    : typeof duration === "string"
    ? parseDuration(duration)
    : undefined;
  if (seconds === undefined || !Number.isFinite(seconds)) {
    throw new WrongTerm(
      "read a duration",
      "seconds as a number, or text with the units d, h, m, s and ms, each at most once and the largest first, " +
        'such as "90s", "1d 3h" or "-5m"',
      describeValue(duration),
    );
  }
  return seconds;
}

function parseDuration(text: string): number | undefined {
  if (!wholeText.test(text)) return undefined;
  let milliseconds = 0;
  let previous = Infinity;
  for (const [, amount, unit] of text.matchAll(eachPart)) {
    const length = millisecondsIn[unit as Unit];
    // Each unit must be smaller than the previous unit. "5m 1m" is probably a typing error for "5m 1s".
    if (length >= previous) return undefined;
    milliseconds += Number(amount) * length;
    previous = length;
  }
  return (text.startsWith("-") ? -milliseconds : milliseconds) / 1000;
}

/** The text in errors about a negative duration: "expected a duration of 0 or more". */
export const notNegative = "a duration of 0 or more";

/** Returns seconds. Throws if the duration is negative. The message begins with "Cannot " and `doing`. */
export function requireNotNegative(duration: Duration, doing: string): number {
  const seconds = readDuration(duration);
  if (seconds >= 0) return seconds;
  throw new WrongTerm(doing, notNegative, describeValue(duration));
}

// Milliseconds, about 24 days. Timers with a larger value fire immediately.
const longestTimer = 2 ** 31 - 1;

/** Returns milliseconds for `setTimeout`, limited to the largest value that `setTimeout` supports. */
export function toMilliseconds(seconds: number): number {
  return Math.min(seconds * 1000, longestTimer);
}
