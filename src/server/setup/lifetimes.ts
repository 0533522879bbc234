/** The lifetimes that every server has: their ranges and defaults, and how they are read. */

import { createLifetime, inLifetimes, type LifetimeOptions } from "../oauth/options/lifetime.ts";
import type { Setting } from "../oauth/contracts/feature_values.ts";
import type { Lifetimes } from "../oauth/contracts/settings.ts";
import type { Duration } from "../../ground/schema/duration.ts";
import { otherNames, type Schema } from "../../ground/schema/schema.ts";

const lifetimeOptions: Readonly<Record<keyof Lifetimes, LifetimeOptions>> = {
  // OAuth 2.1 §4.1.2: at most 10 minutes.
  code: { maximum: 600, default: "5m" },
  accessToken: { default: "1h" },
  idToken: { default: "1h" },
  session: { default: "8h" },
  refreshIdle: { default: "30d" },
  refreshAbsolute: { default: "90d" },
  refreshGrace: { minimum: 0, default: "0s" },
  signingKey: { minimum: 3600 },
};

const lifetimes = Object.entries(lifetimeOptions).map(([name, each]) =>
  [name, createLifetime(name, each)] as const
);

export function describeLifetimes(ofFeatures: Iterable<Setting>): Schema {
  const own = lifetimes.map(([, setting]) => setting);
  const all = [...own, ...ofFeatures].filter(({ name }) => name.startsWith(inLifetimes));
  return {
    [otherNames]: ["ttl", "expiry", "expirations"],
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(all.map(({ name, schema }) => [name.slice(inLifetimes.length), schema])),
  };
}

/** Returns the lifetimes in seconds. The schema has checked the numbers. */
export function readLifetimes(configured: { readonly [name in keyof Lifetimes]?: Duration } = {}): Lifetimes {
  const read = lifetimes.map(([name, { read }]) => [name, read(configured[name as keyof Lifetimes])]);
  return Object.fromEntries(read.filter(([, seconds]) => seconds !== undefined));
}
