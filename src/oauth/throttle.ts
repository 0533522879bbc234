/** Brute force made slow: failures are counted for each account and peer, and too many close the door for a while. */

import { sha256 } from "../crypto/bytes.ts";
import type { Kind } from "../store/store.ts";
import { fail } from "./error.ts";
import type { Services } from "./services.ts";

interface Throttle {
  readonly failures: number;
}

const throttles: Kind<Throttle> = { name: "throttle" };

export interface ThrottledAccount {
  readonly purpose: string;
  readonly account: string;
  readonly peer: string | undefined;
}

export type ThrottleReason = "too_many_failures";

const mostFailures = 20;
const period = 60;

function idOf({ purpose, account, peer }: ThrottledAccount): string {
  return sha256(JSON.stringify([purpose, account, peer ?? null]));
}

/** The seconds to wait, if any. Asked before a secret is looked at, or a right guess would tell itself apart. */
export async function isThrottled(
  who: ThrottledAccount,
  { store, now }: Services,
): Promise<number | undefined> {
  const entry = await store.get(throttles, idOf(who), now());
  return entry === undefined || entry.value.failures < mostFailures
    ? undefined
    : Math.ceil(entry.expiresAt - now());
}

export async function requireUnthrottled(who: ThrottledAccount, services: Services): Promise<void> {
  const wait = await isThrottled(who, services);
  if (wait === undefined) return;
  fail<ThrottleReason>("temporarily_unavailable", "Too many failed attempts: wait a minute", {
    reason: "too_many_failures",
    spec: "OAuth 2.1 §2.4.1",
    status: 429,
    headers: { "retry-after": String(wait) },
  });
}

/** Conditional puts: parallel failures are counted one by one. */
export async function countFailure(who: ThrottledAccount, { store, now }: Services): Promise<void> {
  const id = idOf(who);
  while (true) {
    const entry = await store.get(throttles, id, now());
    const failures = (entry?.value.failures ?? 0) + 1;
    const terms = {
      expiresAt: entry?.expiresAt ?? Math.ceil(now()) + period,
      now: now(),
      if: entry?.version ?? null,
    };
    if (await store.put(throttles, id, { failures }, terms) !== undefined) return;
  }
}
