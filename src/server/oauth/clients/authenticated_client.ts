/** A client that has authenticated, and whether that proves who sent the request. */

import { type Client, isConfigured, publicClientMethod } from "./client.ts";

/** Proves by its type that a client has authenticated: only `authenticateClient` creates this object. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /**
   * Returns `false` if the client must authenticate again. The first redemption of a first-use client decides how the
   * client authenticates from then on, and another request may have redeemed first.
   */
  isCurrent(): Promise<boolean>;
  /**
   * Records a redemption that has passed every check. The last of its tokens expires at `livesUntil`. Returns `false`
   * if the client must authenticate again, as `isCurrent` does.
   */
  recordUse(livesUntil: number): Promise<boolean>;
  readonly authenticated: typeof authenticated;
}

declare const authenticated: unique symbol;

/** Whether any program could send a request of this client that is authenticated by this method. */
export function isUnproven({ client, method }: Pick<AuthenticatedClient, "client" | "method">): boolean {
  return method === publicClientMethod || !isConfigured(client) || client.isDemo === true;
}
