/** The options of pushed requests (RFC 9126). */

import { createLifetime, type Lifetime } from "../../oauth/options/lifetime.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { otherNames } from "../../../ground/schema/schema.ts";

/** The option of pushed requests. */
export interface ParOptions {
  /**
   * `true`: every client must push its authorization requests (RFC 9126). A single client has
   * `require_pushed_authorization_requests`. Default: `false`.
   */
  readonly requirePushedRequests?: boolean;
  /**
   * How many octets of pushed requests may wait for use, for each configured client that authenticates. A request that
   * was answered or has expired does not count. A server counts what was pushed through it. At least 100000. Default:
   * `10000000`.
   */
  readonly mostPushedOctets?: number;
}

/** The lifetime of pushed requests. */
export interface ParLifetimes {
  /** How long the browser can open a pushed request. After that, the form counts. Default: `90s`. */
  readonly pushedRequest?: Duration;
}

export const requiresPushing: Setting<boolean> = {
  name: "requirePushedRequests",
  schema: { type: "boolean", [otherNames]: ["require_pushed_authorization_requests", "requirePar"] },
};

export const mostPushedOctets: Setting<number, number> = {
  name: "mostPushedOctets",
  // One request has fewer octets than the minimum, so there is room for it when no other one waits.
  schema: { type: "integer", minimum: 100_000 },
  read: (option = 10_000_000) => option,
};

export const pushedRequestLifetime: Lifetime<number> = createLifetime("pushedRequest", {
  // RFC 9126 §2.2: between 5 and 600 seconds.
  maximum: 600,
  default: "90s",
});
