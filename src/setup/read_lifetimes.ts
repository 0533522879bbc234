/** Adds the default lifetimes to the configured ones. All lifetimes are in seconds. */

import type { Lifetimes } from "../oauth/settings.ts";
import type { Configuration } from "./configuration.ts";

const hour = 3600;
const day = 24 * hour;

const defaultLifetimes: Lifetimes = {
  code: 300,
  accessToken: hour,
  idToken: hour,
  session: 8 * hour,
  refreshIdle: 30 * day,
  refreshAbsolute: 90 * day,
  refreshGrace: 0,
};

/** Returns all lifetimes. A lifetime that is `undefined` gets its default. */
export function readLifetimes(lifetimes: Configuration["lifetimes"] = {}): Lifetimes {
  const given = Object.entries(lifetimes).filter(([, seconds]) => seconds !== undefined);
  return { ...defaultLifetimes, ...Object.fromEntries(given) };
}
