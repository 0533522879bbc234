/** A lifetime: an option that says how long something is valid, in seconds or as text such as "10m". */

import { type Duration, parseDuration, suggestDuration } from "../../../ground/schema/duration.ts";
import { describeReceived } from "../../../ground/schema/received.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { refuseOption } from "./set_up_mistake.ts";
import type { Setting } from "../contracts/feature_values.ts";

/** What the names of the settings for lifetimes begin with. */
export const inLifetimes = "lifetimes.";

/** In seconds. */
type Range = Pick<Schema, "minimum" | "maximum">;

export interface LifetimeOptions extends Range {
  /** A duration such as "5m". Absent: the default is no limit. */
  readonly default?: string;
}

/** Its value is in seconds. */
export interface Lifetime<Seconds = number | undefined> extends Setting<Duration, Seconds> {
  read(option: Duration | undefined): Seconds;
}

const tenYears = 315_360_000;

/** Accepts the durations that `parseDuration` reads, without sign and milliseconds. */
const durationText: Schema = {
  type: "string",
  pattern: "^[0-9]+(\\.[0-9]+)?[dhms]( *[0-9]+(\\.[0-9]+)?[dhms])*$",
  examples: ["90s", "10m", "1d 3h", "30d"],
};

/** Creates the setting of a member of the option `lifetimes`. Default: from 1 second to 10 years. */
export function createLifetime(
  name: string,
  options: LifetimeOptions & { readonly default: string },
): Lifetime<number>;
export function createLifetime(name: string, options: LifetimeOptions): Lifetime;
export function createLifetime(
  name: string,
  { minimum = 1, maximum = tenYears, default: usual }: LifetimeOptions,
): Lifetime {
  const place = inLifetimes + name;
  return {
    name: place,
    schema: { anyOf: [{ type: "integer", minimum, maximum }, durationText] },
    read: (option = usual) =>
      typeof option === "string" ? readLifetime(option, place, { minimum, maximum }) : option,
  };
}

/** Reads a text as seconds. The schema has checked a number. */
export function readLifetime(
  text: string,
  place: string,
  { minimum = 1, maximum = tenYears }: Range,
): number {
  // Without the name, because `signingKey` would be taken for a secret.
  const describe = () => describeReceived("lifetimes", text);
  const seconds = parseDuration(text);
  if (seconds === undefined) {
    const suggestion = suggestDuration(text);
    const advice = suggestion === undefined
      ? 'for example 90, "10m" or "1d 3h"'
      : `did you mean "${suggestion}"?`;
    return refuseOption(
      place,
      `must be a number of seconds or text with the units d, h, m and s, the largest first: ${advice}`,
      describe(),
    );
  }
  if (Number.isInteger(seconds) && seconds >= minimum && seconds <= maximum) return seconds;
  return refuseOption(
    place,
    `must be a whole number of seconds from ${minimum} to ${maximum}`,
    `${describe()}, which is ${seconds} seconds`,
  );
}
