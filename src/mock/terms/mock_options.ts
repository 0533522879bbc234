/** What a mock is told, and what it takes where nothing is said. */

import { type Configuration, configurationSchema } from "../../setup/configuration.ts";
import { describeUnknown } from "../../schema/nearest.ts";
import type { ServerOptions } from "../../setup/options.ts";
import type { ClientMetadata } from "../../oauth/clients/client_metadata.ts";
import type { Journal } from "../../oauth/journal.ts";
import { describeValue } from "./describe_value.ts";
import { namesOf, requireObject } from "./known_terms.ts";

/** A server's configuration, and what only a test wants. */
export interface MockOptions extends Omit<ServerOptions, "store" | "journal" | "now" | "random" | "seams"> {
  /**
   * Every id, code, key and time repeats; signatures do with RS256 and EdDSA. The clock stands still at the
   * beginning of 2030, unless `time` is given.
   */
  readonly seed?: number | string;
  /** Seconds since 1970. Default: the platform's clock, and so a test runner's fake one. */
  readonly time?: () => number;
  /** Hears of every exchange, with its secrets, as soon as it is recorded. What it throws is not heard. */
  readonly journal?: Journal;
}

const optionNames: readonly string[] = [
  ...namesOf<Omit<MockOptions, keyof Configuration>>({
    seed: true,
    time: true,
    journal: true,
    signingKeys: true,
    fetch: true,
  }),
  ...Object.keys(configurationSchema.properties ?? {}),
];

const functions = ["time", "journal", "fetch"] as const;

/** What a server takes and a mock does not, and what does it here. */
const instead: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, string>> = {
  store: "a mock keeps everything in memory, and as.reset() empties it",
  now: "give time, or use as.clock",
  random: "give seed",
  seams: "use as.on()",
};

/**
 * What is wrong within a configuration's own options is said by the server. `others` are those that are not taken
 * here, and why. In JavaScript, what is undefined was not said.
 */
export function requireMockOptions(
  doing: string,
  options: MockOptions,
  others: Readonly<Record<string, string>> = {},
): void {
  requireObject(doing, options, "an object, and in it what there is to say, such as { people: [...] }");
  const given = new Map<string, unknown>(Object.entries(options).filter(([, value]) => value !== undefined));
  for (const [name, hint] of Object.entries({ ...instead, ...others })) {
    if (given.has(name)) throw new TypeError(`Cannot ${doing} with ${name}: ${hint}`);
  }
  const known = optionNames.filter((name) => !Object.hasOwn(others, name));
  for (const name of given.keys()) {
    if (!known.includes(name)) {
      throw new TypeError(`Cannot ${doing}: ${name} ${describeUnknown(name, known)}`);
    }
  }
  for (const name of functions) {
    const value = given.get(name);
    if (value === undefined || typeof value === "function") continue;
    throw new TypeError(
      `Cannot ${doing}: expected ${name} to be a function, but got ${describeValue(value)}`,
    );
  }
}

/** A test's own client, and one with a secret: for a flow without any configuration. */
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

/** 2030-01-01: where time is part of what repeats. */
export const seededTime = 1_893_456_000;
