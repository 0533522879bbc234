/** Limits how often people may type wrong user codes, because a code is short (RFC 8628 §5.1). */

import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { countAttempt, findWait, type ThrottledAccount } from "../../oauth/secrets/throttle.ts";

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
  const isOfAll = await countAttempt(everyone, services, ofAll) === 0;
  return {
    seconds,
    async settle(isRight) {
      if (!isRight) return;
      await countAttempt(who, services, ofPeer, -1);
      if (isOfAll) await countAttempt(everyone, services, ofAll, -1);
    },
  };
}
