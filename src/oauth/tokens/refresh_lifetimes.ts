/** When refresh tokens and their grants end (OAuth 2.1 §4.3.3, draft-ietf-oauth-refresh-token-expiration-03). */

import type { Members } from "../members.ts";
import type { Services } from "../services.ts";
import type { Grant } from "./grant.ts";
import type { RefreshChain } from "./refresh_chain.ts";

/** Returns when the current token expires. It has an idle and an absolute lifetime (OAuth 2.1 §4.3.3). */
export function idleEnd({ rotatedAt, endsAt }: RefreshChain, { settings }: Services): number {
  return Math.min(Math.floor(rotatedAt) + settings.lifetimes.refreshIdle, endsAt);
}

/** Returns the members of the token response that say how long the client can refresh, if the server announces them. */
export function describeExpiration(chain: RefreshChain, grant: Grant, services: Services): Members {
  if (!services.settings.refreshTokenExpiration) return {};
  const end = grantEnd(chain, grant, services);
  const secondsUntil = (time: number) => Math.max(0, Math.floor(time - services.now()));
  return {
    refresh_token_timeout: secondsUntil(Math.min(idleEnd(chain, services), end)),
    authorization_expires_in: secondsUntil(end),
  };
}

/** Returns when the client must send the person again. Without offline_access, the grant ends with the session. */
export function grantEnd({ endsAt }: RefreshChain, grant: Grant, { settings }: Services): number {
  const { session, authTime, scope } = grant;
  const outlivesSession = session === undefined || session.isBrief || scope.includes("offline_access");
  return outlivesSession || authTime === undefined
    ? endsAt
    : Math.min(endsAt, authTime + settings.lifetimes.session);
}
