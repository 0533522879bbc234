/** The lifetimes: their ranges, their defaults, and their part of the configuration's JSON schema. */

import type { Lifetimes } from "../oauth/settings.ts";
import { otherNames, type Schema } from "../schema/schema.ts";

export interface LifetimeTerms {
  /** What lasts so long. */
  readonly description: string;
  /** In seconds, like `maximum`. */
  readonly minimum: number;
  readonly maximum: number;
  /** A duration such as "5m". Absent: the default is no limit. */
  readonly default?: string;
}

const tenYears = 315_360_000;
const usualRange = { minimum: 1, maximum: tenYears } as const;

export const lifetimeTable: Readonly<Record<keyof Lifetimes, LifetimeTerms>> = {
  code: {
    ...usualRange,
    // OAuth 2.1 §4.1.2: at most 10 minutes.
    maximum: 600,
    description: "How long the client can redeem an authorization code.",
    default: "5m",
  },
  pushedRequest: {
    ...usualRange,
    // RFC 9126 §2.2: between 5 and 600 seconds.
    maximum: 600,
    description: "How long the browser can open a pushed request. After that, the form counts.",
    default: "90s",
  },
  accessToken: { ...usualRange, description: "How long an access token is valid.", default: "1h" },
  idToken: { ...usualRange, description: "How long an ID token is valid.", default: "1h" },
  session: { ...usualRange, description: "How long a person stays signed in.", default: "8h" },
  refreshIdle: {
    ...usualRange,
    description: "How long an unused refresh token stays valid.",
    default: "30d",
  },
  refreshAbsolute: {
    ...usualRange,
    description: "How long a client can refresh, counted from the first refresh token.",
    default: "90d",
  },
  refreshGrace: {
    ...usualRange,
    minimum: 0,
    description:
      "For this time after a refresh, the old refresh token may be used again, and gives the same new one.",
    default: "0s",
  },
  signingKey: {
    ...usualRange,
    minimum: 3600,
    description: "How long a key signs before a new key replaces it. Left out: until rotateKeys is called.",
  },
  clientSecret: {
    ...usualRange,
    description:
      "How long the secret of a client that registered itself is valid. Left out: it does not expire.",
  },
};

/** Accepts the durations that `parseDuration` reads, without sign and milliseconds. */
const durationText: Schema = {
  type: "string",
  pattern: "^[0-9]+(\\.[0-9]+)?[dhms]( *[0-9]+(\\.[0-9]+)?[dhms])*$",
  examples: ["90s", "10m", "1d 3h", "30d"],
};

/** Returns the schema of the option `lifetimes`. */
export function describeLifetimes(): Schema {
  const lifetimes = Object.entries(lifetimeTable).map(([name, terms]) => [name, describeLifetime(terms)]);
  return {
    [otherNames]: ["ttl", "expiry", "expirations"],
    type: "object",
    additionalProperties: false,
    description: 'Lifetimes: seconds as a number, or text such as "10m", "1d 3h" and "30d".',
    properties: Object.fromEntries(lifetimes),
  };
}

function describeLifetime({ minimum, maximum, description, default: usual }: LifetimeTerms): Schema {
  return {
    anyOf: [{ type: "integer", minimum, maximum }, durationText],
    description: usual === undefined ? description : `${description} Default: ${usual}.`,
  };
}
