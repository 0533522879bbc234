/** Whether other machines can reach a server. Some conveniences are only for a server that they cannot reach. */

import { isLoopbackUri, isReservedForTests, isServedFromLoopback } from "../oauth/clients/redirect_uri.ts";

export interface ReachTerms {
  readonly issuer: string;
  /** The server listens on an address that other machines can connect to. */
  readonly isExposed?: boolean;
  /** The server itself serves https. If not, an https issuer means a proxy, which other machines can reach. */
  readonly servesHttps?: boolean;
}

export function isReachedFromElsewhere(
  { issuer, isExposed = false, servesHttps = false }: ReachTerms,
): boolean {
  const isOwn = servesHttps ? isServedFromLoopback(issuer) : isLoopbackUri(issuer);
  return isExposed || !(isOwn || isReservedForTests(issuer));
}
