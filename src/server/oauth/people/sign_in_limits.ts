/** Limits against a flood of sign-ins: a queue for password hashing, and a count of failures for each peer. */

import { createPeerLimit, type PeerLimit } from "./peer_limit.ts";

/** The limits of one process. They are in memory, because they protect the process's own CPU. */
export interface SignInLimits {
  readonly hashing: Turns;
  readonly peerFailures: PeerLimit;
}

/** Runs a bounded number of tasks at the same time. A bounded number of further tasks waits. */
export interface Turns {
  /** Runs the task when it is its turn. Returns `undefined`, and never runs the task, if too many tasks are waiting. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined;
}

// Many people may share one address, for example a school class, so the limit leaves room for all their typing errors.
const mostFailures = 100;

export function createSignInLimits(now: () => number): SignInLimits {
  return { hashing: createTurns(hashingOptions), peerFailures: createPeerLimit(now, mostFailures) };
}

// One hash occupies a core for about 50 ms, and tokens are signed on the same threads, so one hash runs at a time.
const hashingOptions = { mostRunning: 1, mostWaiting: 50 };

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
