/** Keeps track of one mock's interceptions of the global `fetch`. */

import { interceptFetch, type InterceptTerms } from "./intercept.ts";

export interface Interceptions {
  start(terms: InterceptTerms): Disposable;
  /** Whether at least one interception is active. */
  readonly areActive: boolean;
  /** Ends all interceptions. */
  end(): void;
}

export function createInterceptions(): Interceptions {
  const active = new Set<Disposable>();
  return {
    start(terms) {
      const interception = interceptFetch(terms);
      const tracked: Disposable = {
        [Symbol.dispose]() {
          active.delete(tracked);
          interception[Symbol.dispose]();
        },
      };
      active.add(tracked);
      return tracked;
    },
    get areActive() {
      return active.size > 0;
    },
    end() {
      for (const each of active) each[Symbol.dispose]();
    },
  };
}
