/** Watches the requests while a misbehaviour is on: which got a wrong answer, and which came afterwards. */

import type { Seen } from "../../faults/seen.ts";

export interface Watcher {
  arrived(id: string): void;
  acted(id: string): void;
  /** The answer to a request has left, or the client does not get one. */
  left(request: Seen): void;
  hasActed(id: string): boolean;
  readonly actedCount: number;
  /** The requests whose changed answers have left. */
  readonly actedRequests: readonly Seen[];
  /** The requests that arrived after the first changed answer had left. */
  readonly laterRequests: readonly Seen[];
  /** The last requests that were answered before. */
  readonly earlierRequests: readonly Seen[];
}

// The misbehaviour may be on for as long as a server runs, so the lists stop growing.
const mostRequests = 2000;
const mostEarlier = 100;

export function createWatcher(): Watcher {
  const acted = new Set<string>();
  const arrivedBefore = new Set<string>();
  const actedRequests: Seen[] = [];
  const laterRequests: Seen[] = [];
  const earlierRequests: Seen[] = [];
  return {
    arrived(id) {
      if (actedRequests.length === 0) arrivedBefore.add(id);
    },
    acted: (id) => void acted.add(id),
    left(request) {
      const { id } = request.entry;
      // Deleted in any case, because a misbehaviour that is never met would otherwise remember each request.
      const isEarly = arrivedBefore.delete(id);
      // Another object than among those with wrong answers, because the verdict names the two differently.
      if (actedRequests.length > 0 && !isEarly) keep(laterRequests, { ...request });
      if (acted.has(id) && actedRequests.every((seen) => seen.entry.id !== id)) {
        keep(actedRequests, request);
      }
      if (actedRequests.length === 0) {
        earlierRequests.push(request);
        if (earlierRequests.length > mostEarlier) earlierRequests.shift();
      }
    },
    hasActed: (id) => acted.has(id),
    get actedCount() {
      return acted.size;
    },
    actedRequests,
    laterRequests,
    earlierRequests,
  };
}

function keep(list: Seen[], request: Seen): void {
  if (list.length < mostRequests) list.push(request);
}
