/** A timer in real time, also when a test runner has replaced the timers. */

// Not the global one: a test environment may have replaced or removed it.
import { MessageChannel } from "node:worker_threads";

/**
 * Returns a function that stops the timer. The process stays alive until the timer rings or is stopped.
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
    // Node counts from when it last read its clock, which may be a while ago: the first wait makes it read again.
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

/** A pending `Atomics.waitAsync` does not keep the process alive. A message port that listens does. */
function keepAwake(): () => void {
  const { port1, port2 } = new MessageChannel();
  const ignore = () => {};
  // Not `onmessage`: Deno's types for node:worker_threads do not declare it.
  port1.on("message", ignore);
  return () => {
    // A leak detector would report the port until it is closed, which takes a while.
    port1.off("message", ignore);
    port1.close();
    // The other port had to be referenced until now: its garbage collection would close this one.
    port2.close();
  };
}
