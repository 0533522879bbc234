/** A timer in real time, whatever a test runner has made of the timers. */

// Not the global one: an environment of a test runner may lack it or have replaced it.
import { MessageChannel } from "node:worker_threads";

/**
 * Keeps the process alive until it rings, or until what it returns is called: then it never rings.
 *
 * Fake timers replace the global ones, on Node also those of `node:timers`, whoever imports them later, and Bun's
 * reach every other one. None of them reaches the engine that JavaScript runs in, which can wait as well.
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
    // Node counts from when it last looked at its clock, before whatever has kept it busy since: let it look again.
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

/** The engine's waiting alone lets the process end; a port at which a message may arrive does not. */
function keepAwake(): () => void {
  const { port1, port2 } = new MessageChannel();
  const ignore = () => {};
  // Not `onmessage`: Deno's types for node:worker_threads do not declare it.
  port1.on("message", ignore);
  return () => {
    // Closing takes a while, and until then a leak detector would report the port.
    port1.off("message", ignore);
    port1.close();
    // The other end is referenced until now: as garbage it would have closed this one.
    port2.close();
  };
}
