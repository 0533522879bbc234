/** What a mock is told, and what it takes where nothing is said. */

import type { ServerOptions } from "../options.ts";
import type { ClientMetadata } from "../oauth/client_metadata.ts";
import type { Journal } from "../oauth/journal.ts";
import type { ClockTerms } from "./clock.ts";

/** A server's configuration, and what only a test wants. */
export interface MockOptions extends Omit<ServerOptions, "store" | "journal" | "now" | "random" | "seams"> {
  /**
   * Every id, code, key and time repeats; signatures do with RS256 and EdDSA. The clock stands still at the
   * beginning of 2030, unless `time` is given.
   */
  readonly seed?: number | string;
  /** Seconds since 1970. Default: the platform's clock, and so a test runner's fake one. */
  readonly time?: ClockTerms["time"];
  /** Hears of every exchange, with its secrets, as soon as it is recorded. What it throws is not heard. */
  readonly journal?: Journal;
}

/** The names that only code can say, beside those of a configuration. */
export const codeOnlyOptions = ["seed", "time", "journal", "signingKeys", "fetch"] as const;

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
