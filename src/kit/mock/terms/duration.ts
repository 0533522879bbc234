/** Reads the durations that a test passes, and converts seconds for timers. */

import { type Duration, parseDuration } from "../../../ground/schema/duration.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { WrongTerm } from "./wrong_term.ts";

/** Returns seconds. */
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

export const notNegative = "a duration of 0 or more";

/** Returns seconds. Throws if the duration is negative. The message begins with "Cannot " and `doing`. */
export function requireNotNegative(duration: Duration, doing: string): number {
  const seconds = readDuration(duration);
  if (seconds >= 0) return seconds;
  throw new WrongTerm(doing, notNegative, describeValue(duration));
}

// Milliseconds, about 24 days. Timers with a larger value fire immediately.
const longestTimer = 2 ** 31 - 1;

export function toMilliseconds(seconds: number): number {
  return Math.min(seconds * 1000, longestTimer);
}
