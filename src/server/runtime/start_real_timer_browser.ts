/** A timer of real time in a web page. Most pages have no SharedArrayBuffer, with which the other runtimes wait. */

// Taken when the module is loaded, because a test may replace the timers with fake ones later.
const { setTimeout: start, clearTimeout: stop } = globalThis;

export function startRealTimer(seconds: number, ring: () => void): () => void {
  const timer = start.call(globalThis, ring, seconds * 1000);
  return () => stop.call(globalThis, timer);
}
