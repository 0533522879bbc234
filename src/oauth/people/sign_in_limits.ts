/** What keeps a flood of sign-ins from taking a server's time: turns for hashing, and failures counted for each peer. */

import { networkOf } from "../../http/address.ts";

/** A server keeps these in its memory: each process has its own. */
export interface SignInLimits {
  readonly hashing: Turns;
  readonly peerFailures: PeerFailures;
}

export function createSignInLimits(now: () => number): SignInLimits {
  return { hashing: createTurns(hashingTerms), peerFailures: createPeerFailures(now, peerTerms) };
}

/** Runs a bounded number of tasks at once, and lets a bounded number wait. */
export interface Turns {
  /** `undefined`: too many are waiting, and the work was not taken. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export interface TurnsTerms {
  readonly atOnce: number;
  readonly waiting: number;
}

// Signing uses the same threads, and one hash keeps a whole core busy for some 50 ms.
const hashingTerms: TurnsTerms = { atOnce: 1, waiting: 50 };

export function createTurns({ atOnce, waiting }: TurnsTerms): Turns {
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
      if (running < atOnce) return run(work);
      if (queue.length >= waiting) return undefined;
      return new Promise((resolve) => queue.push(() => resolve(run(work))));
    },
  };
}

/** An attempt counts from its start, so that attempts made at once are counted too, and stops counting if it succeeds. */
export interface PeerFailures {
  /** Counts an attempt. Returns 0, or the seconds until this peer may try again; then nothing was counted. */
  count(peer: string | undefined): number;
  /** The attempt was no failure. */
  takeBack(peer: string | undefined): void;
}

export interface PeerTerms {
  readonly mostFailures: number;
  /** Seconds. */
  readonly period: number;
  readonly mostPeers: number;
}

// A class behind one address signs in without failures; what is left is room for their typing errors.
const peerTerms: PeerTerms = { mostFailures: 100, period: 60, mostPeers: 10_000 };

interface CountedPeer {
  readonly failures: number;
  readonly endsAt: number;
}

export function createPeerFailures(
  now: () => number,
  { mostFailures, period, mostPeers }: PeerTerms,
): PeerFailures {
  // In the order of their ends: each entry lasts equally long.
  const peers = new Map<string, CountedPeer>();

  // An end that lies further ahead than the period was set before the clock was set back.
  const isOver = ({ endsAt }: CountedPeer) => endsAt <= now() || endsAt > now() + period;

  function makeRoom(): void {
    for (const [key, counted] of peers) {
      // With that many peers, the oldest count goes: a stranger must not make the map grow.
      if (!isOver(counted) && peers.size < mostPeers) return;
      peers.delete(key);
    }
  }

  return {
    count(peer) {
      // Behind another program's listener, all people would be one peer.
      if (peer === undefined) return 0;
      makeRoom();
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
