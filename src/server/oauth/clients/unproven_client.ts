/** Tells which clients any program can be, so that their requests are counted. */

import type { AuthenticatedClient } from "./authenticated_client.ts";
import { isConfigured, publicClientMethod } from "./client.ts";

/**
 * Whether a request of this client, authenticated by this method, could come from any program: there is no secret, the
 * secret is published, or any program can become such a client.
 */
export function isUnproven({ client, method }: Pick<AuthenticatedClient, "client" | "method">): boolean {
  return method === publicClientMethod || !isConfigured(client) || client.isDemo === true;
}
