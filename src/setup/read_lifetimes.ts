/** Reads the configured lifetimes as seconds, and adds the default lifetimes. */

import type { Lifetimes } from "../oauth/settings.ts";
import { type Duration, parseDuration, suggestDuration } from "../schema/duration.ts";
import { describeReceived } from "../schema/received.ts";
import { lifetimeTable, type LifetimeTerms } from "./lifetimes.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";

/** Returns all lifetimes. A lifetime that is `undefined` gets its default. The schema has checked the numbers. */
export function readLifetimes(
  configured: { readonly [name in keyof Lifetimes]?: Duration | undefined } = {},
): Lifetimes {
  const lifetimes = Object.entries(lifetimeTable).map(([name, terms]) => {
    const lifetime = configured[name as keyof Lifetimes] ?? terms.default;
    return [name, typeof lifetime === "string" ? readText(lifetime, `lifetimes.${name}`, terms) : lifetime];
  });
  return Object.fromEntries(lifetimes.filter(([, seconds]) => seconds !== undefined));
}

function readText(text: string, place: string, { minimum, maximum }: LifetimeTerms): number {
  // Without the name, because `signingKey` would be taken for a secret.
  const received = describeReceived("lifetimes", text);
  const seconds = parseDuration(text);
  if (seconds === undefined) {
    const suggestion = suggestDuration(text);
    const advice = suggestion === undefined
      ? 'for example 90, "10m" or "1d 3h"'
      : `did you mean "${suggestion}"?`;
    return refuseOption(
      place,
      `must be a number of seconds or text with the units d, h, m and s, the largest first: ${advice}`,
      received,
    );
  }
  if (Number.isInteger(seconds) && seconds >= minimum && seconds <= maximum) return seconds;
  return refuseOption(
    place,
    `must be a whole number of seconds from ${minimum} to ${maximum}`,
    `${received}, which is ${seconds} seconds`,
  );
}
