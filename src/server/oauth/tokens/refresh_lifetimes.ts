/** When refresh tokens and their grants end (OAuth 2.1 §4.3.3). */

import type { Services } from "../services.ts";
import type { Grant, RefreshChain } from "./grant.ts";

/** Returns when the current token expires. It has an idle and an absolute lifetime (OAuth 2.1 §4.3.3). */
export function idleEnd({ rotatedAt, endsAt }: RefreshChain, { settings }: Services): number {
  return Math.min(Math.floor(rotatedAt) + settings.lifetimes.refreshIdle, endsAt);
}

/** Returns when the client must send the person again. Without offline_access, the grant ends with the session. */
export function grantEnd({ endsAt }: RefreshChain, grant: Grant, { settings }: Services): number {
  const { session, authTime, scope } = grant;
  const outlivesSession = session === undefined || session.isBrief || scope.includes("offline_access");
  return outlivesSession || authTime === undefined
    ? endsAt
    : Math.min(endsAt, authTime + settings.lifetimes.session);
}
