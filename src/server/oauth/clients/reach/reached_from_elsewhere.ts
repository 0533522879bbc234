/** Decides whether other machines can reach a server. Demo conveniences are off for such a server. */

import { isLoopbackUri, isReservedForTests, isServedFromLoopback } from "../metadata/redirect_uri.ts";

/** The issuer of a server whose configuration has neither an issuer nor `paths`. */
export const defaultIssuer = "http://localhost:9000";

export interface ReachOptions {
  readonly issuer?: string;
  readonly also?: readonly string[];
  /** Whether the server listens on an address that other machines can connect to. */
  readonly isExposed?: boolean;
  /** The server itself serves https. Otherwise an https issuer implies a proxy, which other machines can reach. */
  readonly servesHttps?: boolean;
}

export function isReachedFromElsewhere(
  { issuer = defaultIssuer, also = [], isExposed = false, servesHttps = false }: ReachOptions,
): boolean {
  const isLocal = servesHttps ? isServedFromLoopback : isLoopbackUri;
  return isExposed || ![issuer, ...also].every((name) => isLocal(name) || isReservedForTests(name));
}

export function listNames({ issuer, also }: Required<Pick<ReachOptions, "issuer" | "also">>): string {
  return [issuer, ...also].join(" and ");
}
