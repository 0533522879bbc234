/** Waits in real time, even if a test has replaced the timers with fake ones. */

// A test environment may have replaced or removed the global MessageChannel.
import { MessageChannel } from "node:worker_threads";

/**
 * Calls `ring` after this time, and returns a function that stops the timer. The process stays alive until then.
 *
 * Fake timers replace the global timers, those of `node:timers` and, on Bun, all others. They cannot replace
 * `Atomics.waitAsync`, which is part of the JavaScript engine.
 */
export function startRealTimer(seconds: number, ring: () => void): () => void {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const letGo = keepAwake();
  let isOver = false;
  const wait = async (milliseconds: number) => {
    if (!isOver) await Atomics.waitAsync(cell, 0, 0, milliseconds).value;
  };
  const stop = () => {
    isOver = true;
    letGo();
    Atomics.notify(cell, 0);
  };
  void (async () => {
    // Node counts from the last time that it read its clock. The first, short wait makes Node read the clock.
    await wait(shortest);
    await wait(seconds * 1000 - shortest);
    if (isOver) return;
    stop();
    ring();
  })();
  return stop;
}

// Milliseconds.
const shortest = 1;

/** Lets other requests run. Deno handles `setImmediate` and message ports before it reads from sockets. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => startRealTimer(shortest / 1000, resolve));
}

/** Keeps the process alive with a message port, because a pending `Atomics.waitAsync` does not. */
function keepAwake(): () => void {
  const { port1, port2 } = new MessageChannel();
  const ignore = () => {};
  // Not `onmessage`: Deno's types for node:worker_threads do not declare it.
  port1.on("message", ignore);
  return () => {
    // Until the port is closed, which takes a moment, a leak detector would report a listener on it.
    port1.off("message", ignore);
    port1.close();
    // This reference keeps port2 from being collected, which would close port1.
    port2.close();
  };
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
