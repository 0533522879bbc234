/** Computes times that are in the past or in the future by every clock that a test may use. */

import type { TenantContext } from "../client/tenant_context.ts";

// Seconds. More than any leeway for different clocks, which is a few minutes at most (RFC 7519 §4.1.4).
export const beyondLeeway = 600;

// The system clock, and most fake clocks, are between these times. The times are constants, so that two mocks with the
// same seed create the same tokens.
const beforeRealTime = Date.UTC(1990, 0) / 1000;
const afterRealTime = Date.UTC(2100, 0) / 1000;

type Clocks = Pick<TenantContext, "clock"> & { readonly services: Pick<TenantContext["services"], "now"> };

/** Returns a time in the past by the clocks of the test, the server and the machine. */
export function findPast({ clock, services }: Clocks): number {
  return Math.min(Math.floor(Math.min(clock.now, services.now())) - beyondLeeway, beforeRealTime);
}

/** Returns a time in the future by the clocks of the test, the server and the machine. */
export function findFuture({ clock, services }: Clocks): number {
  return Math.max(Math.floor(Math.max(clock.now, services.now())) + beyondLeeway, afterRealTime);
}
