/** Waits for an event with a time limit. */

import { startRealTimer } from "./real_timer.ts";

/** Ends the waiting, with a value or with an error. */
export interface Ending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export interface WaitingTerms {
  /** The limit in seconds of real time. The process stays alive until then, so that a test runner reports the error. */
  readonly seconds: number;
  /** Creates the error for the end of the time. */
  readonly createLate: () => Error;
}

/** Calls `enter` with the functions that end the waiting. `enter` returns a function that cleans up afterwards. */
export function waitFor<T>(
  { seconds, createLate }: WaitingTerms,
  enter: (ending: Ending<T>) => () => void,
): Promise<T> {
  return allowUnhandled(
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

/** Keeps a rejection from being reported as unhandled, because the test may await the promise later. */
export function allowUnhandled<T>(coming: Promise<T>): Promise<T> {
  coming.catch(() => {});
  return coming;
}
