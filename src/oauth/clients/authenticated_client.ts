/** A client that has authenticated. */

import type { Client } from "./client.ts";

/** Made by `authenticateClient` only. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /**
   * A first-use client is taken as it comes until its first redemption says how it authenticates. `false`: it has
   * been said meanwhile, so what passed before must be authenticated again.
   */
  isCurrent(): Promise<boolean>;
  /** Called when everything else has passed: says it, and how long the client will hold tokens. `false` as above. */
  settle(livesUntil: number): Promise<boolean>;
  readonly authenticated: typeof authenticated;
}

declare const authenticated: unique symbol;
