/** Whether other machines can reach a server: what is handy on one's own machine is off there. */

import { isLoopbackUri, isReservedForTests, isServedFromLoopback } from "./clients/redirect_uri.ts";

export interface ReachTerms {
  readonly issuer: string;
  /** It listens on an address that other machines can connect to. Absent: it does not, or it has no listener. */
  readonly isExposed?: boolean;
  /** It serves https itself. Without, what answers at an https issuer is a proxy, and speaks for other machines. */
  readonly servesHttps?: boolean;
}

export function isReachedFromElsewhere(
  { issuer, isExposed = false, servesHttps = false }: ReachTerms,
): boolean {
  const isOwn = servesHttps ? isServedFromLoopback(issuer) : isLoopbackUri(issuer);
  return isExposed || !(isOwn || isReservedForTests(issuer));
}
