/** Creates the limits against a flood of sign-ins. */

import { createPeerLimit, type PeerTerms } from "../oauth/people/peer_limit.ts";
import type { SignInLimits, Turns } from "../oauth/people/sign_in_limits.ts";

// Many people may share one address, for example a school class, so the limit leaves room for all their typing errors.
const peerTerms: PeerTerms = { most: 100, period: 60, mostPeers: 10_000 };

export function createSignInLimits(now: () => number): SignInLimits {
  return { hashing: createTurns(hashingTerms), peerFailures: createPeerLimit(now, peerTerms) };
}

// One hash occupies a core for about 50 ms, and tokens are signed on the same threads, so one hash runs at a time.
const hashingTerms = { mostRunning: 1, mostWaiting: 50 };

export function createTurns(
  { mostRunning, mostWaiting }: { readonly mostRunning: number; readonly mostWaiting: number },
): Turns {
  const queue: (() => void)[] = [];
  let running = 0;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    running++;
    try {
      return await work();
    } finally {
      running--;
      queue.shift()?.();
    }
  }

  return {
    take(work) {
      if (running < mostRunning) return run(work);
      if (queue.length >= mostWaiting) return undefined;
      return new Promise((resolve) => queue.push(() => resolve(run(work))));
    },
  };
}
