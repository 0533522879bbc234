/** Remembers used proofs, so that a proof is accepted once (RFC 9449 §11.1). */

import { isCrossSite } from "../../../ground/http/request_origin.ts";
import type { Kind, Store } from "../../store/store.ts";
import { type OAuthError, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { type DpopProof, invalidProof } from "../../oauth/tokens/dpop_proof.ts";
import { remember } from "../../../ground/values/remember.ts";

const refusal = refusals({
  dpop_replayed: {
    error: invalidProof,
    spec: "RFC 9449 §11.1",
    sentence: "The DPoP proof was used before",
    expected: "a proof with a new jti for each request",
    change: "Create a new proof with a new jti for each request, also when a request is repeated.",
  },
  too_many_dpop_proofs: {
    error: "temporarily_unavailable",
    sentence: "The server cannot remember more DPoP proofs now",
    change: "Send fewer requests at a time, and repeat this one later.",
  },
});

export const refused: RefusalRows = refusal.rows;

const usedProofs: Kind<{ readonly usedAt: number }> = { name: "once" };

/** Records a proof in the store. Returns the error if the proof was used before, at any server with this store. */
export type UseProof = (
  proof: DpopProof,
  exchange: Exchange,
  services: Services,
) => Promise<OAuthError | undefined>;

/**
 * `mostRemembered` bounds the records of this server that have not expired. The server counts only its own records,
 * because a store cannot count. At the bound the server refuses new proofs: if it forgot old ones instead, an attacker
 * could send many proofs and then repeat a stolen one. Pages of other sites leave half of the records to other clients.
 */
export function createUsedProofs(mostRemembered: number): UseProof {
  /** The number of records that expire in each minute, by store. A rehearsal has a store of its own. */
  const countsByStore = new WeakMap<Store, Map<number, number>>();

  const countsIn = (store: Store) => remember(countsByStore, store, () => new Map());

  function countLive(counts: Map<number, number>, now: number): number {
    let live = 0;
    for (const [minute, count] of counts) {
      if (minute * 60 <= now) counts.delete(minute);
      else live += count;
    }
    return live;
  }

  return async ({ id, expiresAt }, { request }, { store, now }) => {
    const most = isCrossSite(request) ? mostRemembered / 2 : mostRemembered;
    const counts = countsIn(store);
    if (countLive(counts, now()) >= most) {
      return refusal("too_many_dpop_proofs", { headers: { "retry-after": "60" } });
    }
    const minute = Math.ceil(expiresAt / 60);
    // Counts before the write, so that requests at the same time cannot exceed the bound together.
    const add = (count: number) => counts.set(minute, (counts.get(minute) ?? 0) + count);
    add(1);
    const terms = { expiresAt, now: now(), if: null };
    if (await store.put(usedProofs, id, { usedAt: now() }, terms) !== undefined) return undefined;
    add(-1);
    return refusal("dpop_replayed");
  };
}
