/** Finds times for tokens that are past or future by every clock of a test. */

import type { Claims } from "../../oauth/members.ts";
import type { TenantContext } from "../client/tenant_context.ts";

// RFC 7519 §4.1.4: a leeway for clocks that differ is a few minutes at most.
export const beyondLeeway = 600;

// Real times, and most fake ones, are between these. They are constants, so that a seed repeats its tokens.
const beforeRealTime = Date.UTC(1990, 0) / 1000;
const afterRealTime = Date.UTC(2100, 0) / 1000;

/** Returns a time before now by the clocks of the test, the server and the machine. */
export function findPast({ clock, services }: TenantContext): number {
  return Math.min(Math.floor(Math.min(clock.now, services.now())) - beyondLeeway, beforeRealTime);
}

/** Returns a time after now by the same clocks. */
export function findFuture({ clock, services }: TenantContext): number {
  return Math.max(Math.floor(Math.max(clock.now, services.now())) + beyondLeeway, afterRealTime);
}

/** Moves all times in the claims back by the same amount, so that the token expires in the past. */
export function moveBack(claims: Claims, context: TenantContext): Claims {
  const end = findPast(context);
  const { exp } = claims;
  if (typeof exp !== "number" || exp <= end) return claims;
  const moved = ["iat", "nbf", "exp", "auth_time"].flatMap((name) => {
    const time = claims[name];
    return typeof time === "number" ? [[name, time - exp + end]] : [];
  });
  return { ...claims, ...Object.fromEntries(moved) };
}
