/** A client that has authenticated. */

import type { Client } from "./client.ts";

/** Only `authenticateClient` makes one. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /**
   * The first redemption of a first-use client decides how the client authenticates from then on. `false`: another
   * request has decided it since this one authenticated, so this one must authenticate again.
   */
  isCurrent(): Promise<boolean>;
  /** The redemption has passed every check, and the last of its tokens ends at this time. `false` as above. */
  recordUse(livesUntil: number): Promise<boolean>;
  readonly authenticated: typeof authenticated;
}

declare const authenticated: unique symbol;
