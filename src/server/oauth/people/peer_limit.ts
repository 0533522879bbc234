/** Limits how often each peer may try something, in the memory of each process. `throttle.ts` counts guesses in the store. */

import { networkOf } from "../../../ground/values/ip_address.ts";

export interface PeerLimit {
  /**
   * Counts an attempt and returns 0. Over the limit, counts nothing and returns the seconds until the next attempt. An
   * attempt counts from its start, so simultaneous attempts all count.
   */
  count(peer: string | undefined): number;
  takeBack(peer: string | undefined): void;
}

/** In seconds. */
const period = 60;

const mostPeers = 10_000;

interface CountedPeer {
  readonly attempts: number;
  readonly endsAt: number;
}

/** `most`: how many attempts of each peer a minute. */
export function createPeerLimit(now: () => number, most: number): PeerLimit {
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
      const { attempts, endsAt } = peers.get(key) ?? { attempts: 0, endsAt: now() + period };
      if (attempts >= most) return Math.max(1, Math.ceil(endsAt - now()));
      peers.set(key, { attempts: attempts + 1, endsAt });
      return 0;
    },
    takeBack(peer) {
      const key = peer === undefined ? undefined : networkOf(peer);
      const counted = key === undefined ? undefined : peers.get(key);
      if (key === undefined || counted === undefined) return;
      peers.set(key, { ...counted, attempts: Math.max(0, counted.attempts - 1) });
    },
  };
}
