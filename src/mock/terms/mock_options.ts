/** The options of a mock, and their defaults. */

import { configurationSchema } from "../../configuration_schema.ts";
import type { Journal } from "../../oauth/journal.ts";
import { isJsonObject } from "../../schema/json_object.ts";
import { describeType } from "../../schema/received.ts";
import type { Schema } from "../../schema/schema.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";
import type { Configuration } from "../../setup/configuration.ts";
import type { ServerOptions } from "../../setup/server_options.ts";
import { requireKnownTerms } from "./known_terms.ts";

/** The configuration of the server, and options for tests. */
export interface MockOptions extends Omit<ServerOptions, "store" | "journal" | "now" | "random" | "seams"> {
  /**
   * Makes every id, code, key and time repeat, and with RS256 and EdDSA also signatures. The clock stands still at
   * the beginning of 2030, unless `time` is given.
   */
  readonly seed?: number | string;
  /** Seconds since 1970. Default: the clock of the platform, which a test runner may have replaced. */
  readonly time?: () => number;
  /** Called for each exchange, secrets included, as soon as it is recorded. Errors that it throws are ignored. */
  readonly journal?: Journal;
}

/** The options that a configuration does not have. */
const ownOptions: Readonly<Record<Exclude<keyof MockOptions, keyof Configuration>, true>> = {
  seed: true,
  time: true,
  journal: true,
  signingKeys: true,
  fetch: true,
};

const functions = ["time", "journal", "fetch"] as const;

/** Server options that a mock does not take, and what to use instead. */
const instead: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, string>> = {
  store: "a mock keeps everything in memory, and as.reset() empties it",
  now: "give time, or use as.clock",
  random: "give seed",
  seams: "use as.on()",
};

/**
 * Checks the names, and that functions are functions, which no schema can say. The server checks the values of its
 * configuration. `others` are options that are not taken here, with the reason. `undefined` counts as left out.
 */
export function requireMockOptions(
  doing: string,
  options: MockOptions,
  others: Readonly<Record<string, string>> = {},
): void {
  if (!isJsonObject(options)) {
    const received = describeType(options);
    throw new TypeError(`Cannot ${doing}: its options must be an object, not ${received}`);
  }
  const given = new Map<string, unknown>(Object.entries(options).filter(([, value]) => value !== undefined));
  for (const [name, hint] of Object.entries({ ...instead, ...others })) {
    if (given.has(name)) throw new TypeError(`Cannot ${doing} with ${name}: ${hint}`);
  }
  requireKnownTerms(doing, options, describeOptions(others));
  for (const name of functions) {
    const value = given.get(name);
    if (value === undefined || typeof value === "function") continue;
    throw new TypeError(`Cannot ${doing}: ${name} must be a function, not ${describeType(value)}`);
  }
}

function describeOptions(others: Readonly<Record<string, string>>): Schema {
  const names = Object.keys({ ...ownOptions, ...configurationSchema.properties });
  const known = names.filter((name) => !Object.hasOwn(others, name));
  const properties = Object.fromEntries(known.map((name) => [name, {}]));
  return { type: "object", additionalProperties: false, properties };
}

/** A public client and one with a secret, for tests that configure none. */
export const usualClients: readonly ClientMetadata[] = [
  {
    client_id: "app",
    redirect_uris: ["https://app.test/callback", "http://127.0.0.1/callback", "http://localhost/callback"],
  },
  {
    client_id: "app-confidential",
    client_secret: "app-secret",
    redirect_uris: ["https://app.test/callback", "http://127.0.0.1/callback", "http://localhost/callback"],
  },
];

/** 2030-01-01: the time of a mock with a seed. */
export const seededTime = 1_893_456_000;
