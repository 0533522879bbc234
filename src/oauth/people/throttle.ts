/** Brute force made slow: failures are counted for each account and peer, and too many close the door for a while. */

import { sha256 } from "../../crypto/bytes.ts";
import { networkOf } from "../../http/address.ts";
import type { Entry, Kind } from "../../store/store.ts";
import { fail } from "../error.ts";
import type { Services } from "../services.ts";

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
  return sha256(JSON.stringify([purpose, account, peer === undefined ? null : networkOf(peer)]));
}

/** Seconds until another guess is looked at; 0: it would be now. */
export async function findWait(who: ThrottledAccount, services: Services): Promise<number> {
  const entry = await findThrottle(who, services);
  if (entry === undefined || entry.value.failures < mostFailures) return 0;
  return Math.max(0, Math.ceil(entry.expiresAt - services.now()));
}

async function findThrottle(
  who: ThrottledAccount,
  { store, now }: Services,
): Promise<Entry<Throttle> | undefined> {
  const entry = await store.get(throttles, idOf(who), now());
  // An end that lies further ahead was set before the clock was set back: it would close the door for as long.
  return entry !== undefined && entry.expiresAt > Math.ceil(now()) + period
    ? { ...entry, value: { failures: 0 }, expiresAt: Math.ceil(now()) + period }
    : entry;
}

/** A right guess is refused, too, or guessing would go on. */
export async function requireUnthrottled(who: ThrottledAccount, services: Services): Promise<void> {
  const wait = await findWait(who, services);
  if (wait === 0) return;
  fail<ThrottleReason>("temporarily_unavailable", `Too many failed attempts: wait ${wait} s`, {
    reason: "too_many_failures",
    spec: "OAuth 2.1 §2.4.1",
    status: 429,
    headers: { "retry-after": String(wait) },
  });
}

/** `false`: there are too many. Conditional puts: parallel attempts are counted one by one. */
export async function countAttempt(who: ThrottledAccount, services: Services): Promise<boolean> {
  const { store, now } = services;
  const id = idOf(who);
  while (true) {
    const entry = await findThrottle(who, services);
    const failures = (entry?.value.failures ?? 0) + 1;
    if (failures > mostFailures) return false;
    const terms = {
      expiresAt: entry?.expiresAt ?? Math.ceil(now()) + period,
      now: now(),
      if: entry?.version ?? null,
    };
    if (await store.put(throttles, id, { failures }, terms) !== undefined) return true;
  }
}

export async function forgetAttempts(who: ThrottledAccount, { store }: Services): Promise<void> {
  await store.delete(throttles, idOf(who));
}
