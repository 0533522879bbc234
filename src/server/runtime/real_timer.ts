/** Waits in real time, even if a test has replaced the timers with fake ones. */

import { startRealTimer } from "./start_real_timer.ts";

export { startRealTimer };

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => void startRealTimer(seconds, resolve));
}

/** Lets other requests run. Deno handles `setImmediate` and message ports before it reads from sockets. */
export function nextTurn(): Promise<void> {
  return pause(0.001);
}

/** Resolves to whether the work ended in time, with success or failure. */
export function within(seconds: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = startRealTimer(seconds, () => resolve(false));
    const end = () => {
      stop();
      resolve(true);
    };
    work.then(end, end);
  });
}

export interface Ending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export interface WaitingOptions {
  /** The limit in seconds of real time. The process stays alive until then, so that a test runner reports the error. */
  readonly seconds: number;
  readonly createLate: () => Error;
}

/** Calls `enter` with the functions that end the waiting. `enter` returns a function that cleans up afterwards. */
export function waitFor<T>(
  { seconds, createLate }: WaitingOptions,
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
