/** Slows down guessing: after too many failures for one account from one peer, attempts are refused for a while. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { networkOf } from "../../../ground/values/ip_address.ts";
import { type Entry, type Kind, limitAttempts } from "../../store/store.ts";
import { markMargin } from "../options/clock_skew.ts";
import type { Failed } from "../contracts/authorization_request.ts";
import { type OAuthError, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";

interface Throttle {
  readonly failures: number;
}

export const throttles: Kind<Throttle> = { name: "throttle" };

export interface ThrottledAccount {
  /** The kind of secret: `password`. */
  readonly purpose: string;
  readonly account: string;
  readonly peer: string | undefined;
  /**
   * Whether a page of another site makes the attempt in a person's browser. Its failures are counted apart, so that it
   * cannot lock out the programs on the person's machine. A program that sends the headers of such a page has twice the
   * attempts, and no more.
   */
  readonly fromAnotherSite?: boolean;
}

/** How many failures are accepted within a period, in seconds. All calls for one purpose have the same period. */
interface ThrottleOptions {
  readonly most: number;
  readonly period: number;
}

const refusal = refusals({
  too_many_failures: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "OAuth 2.1 §2.4.1",
    sentence: "Too many failed attempts: wait {wait} s",
    change: "Wait as long as the refusal says, and then send the right credentials.",
  },
});

export const refused: RefusalRows = refusal.rows;

const usualOptions: ThrottleOptions = { most: 20, period: 60 };

export function throttleId({ purpose, account, peer, fromAnotherSite = false }: ThrottledAccount): string {
  const network = peer === undefined ? null : networkOf(peer);
  return sha256(JSON.stringify([purpose, account, network, ...(fromAnotherSite ? ["cross-site"] : [])]));
}

/** Returns the seconds until another attempt is accepted, or 0 if an attempt is accepted now. */
export async function findWait(
  who: ThrottledAccount,
  services: Services,
  options: ThrottleOptions = usualOptions,
): Promise<number> {
  const { store, now } = services;
  const entry = restartIfAhead(await store.get(throttles, throttleId(who), now()), options, services);
  if (entry === undefined || entry.value.failures < options.most) return 0;
  return Math.max(0, Math.ceil(entry.expiresAt - now()));
}

/**
 * If `expiresAt` is too far ahead, the clock was set back, so the period starts again with no failure. The margin is for
 * a server whose clock is ahead: this server must not forget the failures that the other one has counted.
 */
function restartIfAhead(
  entry: Entry<Throttle> | undefined,
  { period }: ThrottleOptions,
  { now }: Services,
): Entry<Throttle> | undefined {
  return entry !== undefined && entry.expiresAt > Math.ceil(now()) + period + markMargin
    ? { ...entry, value: { failures: 0 }, expiresAt: Math.ceil(now()) + period }
    : entry;
}

/** Throws after too many failures. Correct secrets are refused as well, so that guessing during the wait has no use. */
export async function requireUnthrottled(who: ThrottledAccount, services: Services): Promise<void> {
  const wait = await findWait(who, services);
  if (wait === 0) return;
  throw refusal("too_many_failures", { wait, headers: { "retry-after": String(wait) } });
}

/** Describes a form that is not accepted now. `refuse` gets what its refusal says of the time to wait. */
export function mustWait<Kind extends string = "too_many_attempts">(
  secondsToWait: number,
  refuse: (wait: { readonly seconds: number; readonly headers: Record<string, string> }) => OAuthError,
  kind: Kind = "too_many_attempts" as Kind,
): Failed<{ readonly kind: Kind; readonly secondsToWait: number }> {
  const headers = { "retry-after": String(secondsToWait) };
  return { problem: { kind, secondsToWait }, refusal: refuse({ seconds: secondsToWait, headers }) };
}

/**
 * Returns 0 if the attempt counts, or else the seconds to wait. The put is conditional, so simultaneous ones all count. -1
 * takes back an attempt that counted: `options` then has the most that any attempt may have had.
 */
export async function countAttempt(
  who: ThrottledAccount,
  services: Services,
  options: ThrottleOptions = usualOptions,
  by: 1 | -1 = 1,
): Promise<number> {
  const { store, now } = services;
  const id = throttleId(who);
  for (const retry = limitAttempts();; retry()) {
    const time = now();
    const entry = restartIfAhead(await store.get(throttles, id, time), options, services);
    const failures = Math.max(0, (entry?.value.failures ?? 0) + by);
    const expiresAt = entry?.expiresAt ?? Math.ceil(time) + options.period;
    if (failures > options.most) return Math.ceil(expiresAt - time);
    const condition = { expiresAt, now: time, if: entry?.version ?? null };
    if (await store.put(throttles, id, { failures }, condition) !== undefined) return 0;
  }
}

export async function forgetAttempts(who: ThrottledAccount, { store }: Services): Promise<void> {
  await store.delete(throttles, throttleId(who));
}
