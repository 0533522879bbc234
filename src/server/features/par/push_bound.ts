/** Limits the octets of the pushed requests of unproven clients. All servers on one store share the limit. */

import { type Kind, limitAttempts, never } from "../../store/store.ts";
import type { Services } from "../../oauth/contracts/feature.ts";

/** In octets: what the store holds of such requests at most. Pages of other sites leave half of it to programs. */
export const mostUnprovenOctets = 10_000_000;

export interface PushBound {
  /** Reserves room until the request ends. Without room, returns the seconds until there is some. */
  reserve(octets: number, terms: { readonly isPage: boolean }, services: Services): Promise<number>;
}

/** Room that one server has reserved. The server fills it for a minute, and it ends with the last request in it. */
interface Block {
  readonly octets: number;
  readonly endsAt: number;
}

/** One record has all blocks, because a store cannot add up records. */
const boundKind: Kind<{ readonly blocks: readonly Block[] }> = { name: "push_bound" };
const recordId = "unproven";

// Most requests find room in the block of their server, so few of them need the record.
const octetsOfBlock = 64 * 1024;
// In seconds.
const fillingTime = 60;

interface OpenBlock {
  readonly left: number;
  readonly until: number;
}

/** Creates the bound of one server. `keptFor`: how many seconds the store keeps a request. */
export function createPushBound(keptFor: number): PushBound {
  let open: { readonly [sender in "page" | "program"]?: OpenBlock } = {};
  // One after another, so that simultaneous requests share a block.
  let last: Promise<unknown> = Promise.resolve();

  async function take(octets: number, isPage: boolean, services: Services): Promise<number> {
    const now = services.now();
    const sender = isPage ? "page" : "program";
    const own = open[sender];
    // If `until` is further ahead, the clock was set back.
    if (own !== undefined && own.left >= octets && own.until > now && own.until <= now + fillingTime) {
      open = { ...open, [sender]: { ...own, left: own.left - octets } };
      return 0;
    }
    const block = { octets: Math.max(octets, octetsOfBlock), endsAt: now + fillingTime + keptFor };
    const secondsToWait = await reserveBlock(block, mostUnprovenOctets / (isPage ? 2 : 1), services);
    if (secondsToWait > 0) return secondsToWait;
    open = { ...open, [sender]: { left: block.octets - octets, until: now + fillingTime } };
    return 0;
  }

  return {
    reserve(octets, { isPage }, services) {
      const taking = last.then(() => take(octets, isPage, services));
      last = taking.catch(() => {});
      return taking;
    },
  };
}

/** Returns 0, or the seconds until enough other blocks have ended. */
async function reserveBlock(block: Block, most: number, { store, now }: Services): Promise<number> {
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(boundKind, recordId, now());
    const blocks = entry?.value.blocks.filter(({ endsAt }) => endsAt > now()) ?? [];
    let excess = blocks.reduce((sum, { octets }) => sum + octets, block.octets) - most;
    for (const { octets, endsAt } of blocks.toSorted((one, other) => one.endsAt - other.endsAt)) {
      if (excess <= 0) break;
      excess -= octets;
      if (excess <= 0) return Math.max(1, Math.ceil(endsAt - now()));
    }
    const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
    if (await store.put(boundKind, recordId, { blocks: [...blocks, block] }, terms) !== undefined) return 0;
  }
}
