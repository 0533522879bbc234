/** Waiting for what others will say: until it comes, until it is known not to come, or until the time is over. */

import { startRealTimer } from "./real_timer.ts";

/** How it ends. */
export interface Ending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export interface WaitingTerms {
  /** Of real time. Until then the process stays alive: a runner that sees nothing to do would say only that. */
  readonly seconds: number;
  /** What is said when they are over. */
  readonly createLate: () => Error;
}

/** `enter` makes the ending known to whoever decides it; what it returns is called when that is done. */
export function waitFor<T>(
  { seconds, createLate }: WaitingTerms,
  enter: (ending: Ending<T>) => () => void,
): Promise<T> {
  return allowUnheard(
    new Promise((resolve, reject) => {
      const stop = startRealTimer(seconds, () => ending.reject(createLate()));
      const end = () => {
        stop();
        leave();
      };
      const ending: Ending<T> = {
        resolve(value) {
          end();
          resolve(value);
        },
        reject(error) {
          end();
          reject(error);
        },
      };
      const leave = enter(ending);
    }),
  );
}

/** Often it is awaited only after something else: until then a rejection would count as nobody's. */
export function allowUnheard<T>(coming: Promise<T>): Promise<T> {
  coming.catch(() => {});
  return coming;
}
