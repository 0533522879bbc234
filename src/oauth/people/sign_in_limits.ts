/** Limits against a flood of sign-ins: a queue for password hashing, and a count of failures for each peer. */

import { networkOf } from "../../http/address.ts";

/** The limits of one process. They are in memory, because they protect the process's own CPU. */
export interface SignInLimits {
  readonly hashing: Turns;
  readonly peerFailures: PeerFailures;
}

export function createSignInLimits(now: () => number): SignInLimits {
  return { hashing: createTurns(hashingTerms), peerFailures: createPeerFailures(now, peerTerms) };
}

/** Runs a bounded number of tasks at the same time. A bounded number of further tasks waits. */
export interface Turns {
  /** Runs the task when it is its turn. Returns `undefined`, and never runs the task, if too many tasks are waiting. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export interface TurnsTerms {
  readonly mostRunning: number;
  readonly mostWaiting: number;
}

// One hash occupies a core for about 50 ms, and tokens are signed on the same threads, so one hash runs at a time.
const hashingTerms: TurnsTerms = { mostRunning: 1, mostWaiting: 50 };

export function createTurns({ mostRunning, mostWaiting }: TurnsTerms): Turns {
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

/** Counts failed sign-ins of each peer. An attempt counts from its start, so simultaneous attempts all count. */
export interface PeerFailures {
  /** Counts an attempt and returns 0. Over the limit, counts nothing and returns the seconds until the next attempt. */
  count(peer: string | undefined): number;
  /** Removes a counted attempt that was not a failure. */
  takeBack(peer: string | undefined): void;
}

export interface PeerTerms {
  readonly mostFailures: number;
  /** Seconds. */
  readonly period: number;
  readonly mostPeers: number;
}

// Many people may share one address, for example a school class, so the limit leaves room for all their typing errors.
const peerTerms: PeerTerms = { mostFailures: 100, period: 60, mostPeers: 10_000 };

interface CountedPeer {
  readonly failures: number;
  readonly endsAt: number;
}

export function createPeerFailures(
  now: () => number,
  { mostFailures, period, mostPeers }: PeerTerms,
): PeerFailures {
  // Ordered by `endsAt`, because new entries come last and all periods are equally long.
  const peers = new Map<string, CountedPeer>();

  // If `endsAt` is further ahead than one period, the clock was set back, and the entry is out of date.
  const isOver = ({ endsAt }: CountedPeer) => endsAt <= now() || endsAt > now() + period;

  function deleteOldEntries(): void {
    for (const [key, counted] of peers) {
      // With too many peers, the oldest entry is deleted, so that an attacker cannot use up the memory.
      if (!isOver(counted) && peers.size < mostPeers) return;
      peers.delete(key);
    }
  }

  return {
    count(peer) {
      // Without a known address, all people would count as one peer, and one attacker could lock all of them out.
      if (peer === undefined) return 0;
      deleteOldEntries();
      const key = networkOf(peer);
      const { failures, endsAt } = peers.get(key) ?? { failures: 0, endsAt: now() + period };
      if (failures >= mostFailures) return Math.max(1, Math.ceil(endsAt - now()));
      peers.set(key, { failures: failures + 1, endsAt });
      return 0;
    },
    takeBack(peer) {
      const key = peer === undefined ? undefined : networkOf(peer);
      const counted = key === undefined ? undefined : peers.get(key);
      if (key === undefined || counted === undefined) return;
      peers.set(key, { ...counted, failures: Math.max(0, counted.failures - 1) });
    },
  };
}
