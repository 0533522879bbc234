/** Waits for an event: until it happens, until it can no longer happen, or until the time is over. */

import { startRealTimer } from "./real_timer.ts";

/** Ends the waiting. */
export interface Ending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export interface WaitingTerms {
  /** Of real time. The process stays alive so long, because a runner whose process ends reports only that. */
  readonly seconds: number;
  /** The error when the time is over. */
  readonly createLate: () => Error;
}

/** `enter` hands the ending to the code that knows the event, and returns a function that takes it back. */
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

/** For a promise that is awaited later: until then, its rejection would count as unhandled. */
export function allowUnhandled<T>(coming: Promise<T>): Promise<T> {
  coming.catch(() => {});
  return coming;
}
