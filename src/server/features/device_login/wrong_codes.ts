/** Limits how often people may type wrong user codes, because a code is short (RFC 8628 §5.1). */

import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import {
  countAttempt,
  findWait,
  type ThrottledAccount,
  throttleId,
  throttles,
} from "../../oauth/secrets/throttle.ts";
import { limitAttempts } from "../../store/store.ts";

// In seconds.
const period = 600;

const ofPeer = { most: 10, period };

// A peer without a wrong code may still type one.
const ofPeerInFlood = { most: 1, period };

const ofAll = { most: 1_000, period };

const everyone: ThrottledAccount = { purpose: "user_code", account: "of all peers", peer: undefined };

/** An attempt that is counted before the code is looked up, so that simultaneous guesses cannot exceed a limit. */
export interface CountedCode {
  /** The seconds until this peer may try again. 0: the code may be looked up. */
  readonly seconds: number;
  /** Takes back the attempt if the code was right. Only wrong codes count. */
  settle(isRight: boolean): Promise<void>;
}

export async function countCode(exchange: Exchange, services: Services): Promise<CountedCode> {
  const who: ThrottledAccount = { purpose: "user_code", account: "", peer: exchange.request.peer };
  const isFlood = await findWait(everyone, services, ofAll) > 0;
  const terms = isFlood ? ofPeerInFlood : ofPeer;
  const seconds = await countAttempt(who, services, terms);
  if (seconds > 0) return { seconds, settle: () => Promise.resolve() };
  const counted = await countAttempt(everyone, services, ofAll) === 0 ? [who, everyone] : [who];
  return {
    seconds,
    async settle(isRight) {
      if (isRight) { for (const each of counted) await takeBackAttempt(each, services); }
    },
  };
}

async function takeBackAttempt(who: ThrottledAccount, { store, now }: Services): Promise<void> {
  const id = throttleId(who);
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(throttles, id, now());
    if (entry === undefined) return;
    const { version, expiresAt, value } = entry;
    const failures = Math.max(0, value.failures - 1);
    const condition = { expiresAt, now: now(), if: version };
    if (await store.put(throttles, id, { failures }, condition) !== undefined) return;
  }
}
