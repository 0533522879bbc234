/** A timer of real time, even if a test has replaced the timers with fake ones. */

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

/** Keeps the process alive with a message port, because a pending `Atomics.waitAsync` does not. */
function keepAwake(): () => void {
  const { port1, port2 } = new MessageChannel();
  const ignore = () => {};
  // Not `onmessage`: Deno's types for node:worker_threads do not declare it.
  port1.on("message", ignore);
  return () => {
    // Until the port is closed, which takes a moment, a leak detector would report a listener on it.
    port1.off("message", ignore);
    // At once: a close of the other port takes a moment to reach this one.
    port1.close();
    // This reference keeps port2 from being collected, which would close port1.
    port2.close();
  };
}
