/** A client that has authenticated, and whether that proves who sent the request. */

import { type Client, isConfigured, publicClientMethod } from "./client.ts";

/** Proves by its type that a client has authenticated: only `authenticateClient` and its `acceptFirstMethod` create it. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /**
   * Resolves to `false` if the client must authenticate again: another request has made the first redemption of a
   * first-use client, which decides how this client authenticates from then on.
   */
  isCurrent(): Promise<boolean>;
  /** Records a redemption whose last token expires at `livesUntil`. Resolves to `false` as `isCurrent` does. */
  recordUse(livesUntil: number): Promise<boolean>;
  readonly authenticated: typeof authenticated;
}

declare const authenticated: unique symbol;

/**
 * Whether any program could send such a request: of a client without credentials, of one that no operator has configured
 * (first use, registration, a client document), or of a demo client, whose secret is published.
 */
export function isUnproven({ client, method }: Pick<AuthenticatedClient, "client" | "method">): boolean {
  return method === publicClientMethod || !isConfigured(client) || client.isDemo === true;
}
