/** Keeps track of one mock's interceptions of the global `fetch`. */

import { interceptFetch, type InterceptTerms, requireFree } from "./intercept.ts";

export interface Interceptions {
  start(terms: InterceptTerms): Disposable;
  /** Throws if another mock intercepts this origin, which an active interception is about to intercept as well. */
  requireFree(origin: string): void;
  /** Whether at least one interception is active. */
  readonly areActive: boolean;
  /** Ends all interceptions. */
  end(): void;
}

export function createInterceptions(): Interceptions {
  const active = new Map<Disposable, InterceptTerms>();
  return {
    start(terms) {
      const interception = interceptFetch(terms);
      const tracked: Disposable = {
        [Symbol.dispose]() {
          active.delete(tracked);
          interception[Symbol.dispose]();
        },
      };
      active.set(tracked, terms);
      return tracked;
    },
    requireFree(origin) {
      const all = [...active.values()];
      if (all.length > 0 && !all.some(({ origins }) => origins().has(origin))) requireFree(origin);
    },
    get areActive() {
      return active.size > 0;
    },
    end() {
      for (const each of [...active.keys()]) each[Symbol.dispose]();
    },
  };
}
