/** A client that has authenticated, and whether that proves who sent the request. */

import { type Client, isConfigured, publicClientMethod } from "./client.ts";

/** Proves by its type that a client has authenticated: only `authenticateClient` creates this object. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /** `false`: the client must authenticate again, because another first redemption has decided how. */
  isCurrent(): Promise<boolean>;
  /** Records a redemption whose last token expires at `livesUntil`. `false`: the client must authenticate again. */
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
