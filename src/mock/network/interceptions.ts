/** The interceptions of the global `fetch` by one mock. */

import { interceptFetch, type InterceptTerms } from "./intercept.ts";

export interface Interceptions {
  start(terms: InterceptTerms): Disposable;
  /** Whether one is active. */
  readonly areActive: boolean;
  end(): void;
}

export function createInterceptions(): Interceptions {
  const active = new Set<Disposable>();
  return {
    start(terms) {
      const interception = interceptFetch(terms);
      const held: Disposable = {
        [Symbol.dispose]() {
          active.delete(held);
          interception[Symbol.dispose]();
        },
      };
      active.add(held);
      return held;
    },
    get areActive() {
      return active.size > 0;
    },
    end() {
      for (const each of active) each[Symbol.dispose]();
    },
  };
}
