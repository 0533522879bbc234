/** A timer of real time in a web page. Most pages have no SharedArrayBuffer, with which the other runtimes wait. */

// Taken when the module is loaded, because a test may replace the timers with fake ones later.
const { setTimeout: start, clearTimeout: stop } = globalThis;

// Milliseconds. A browser rings at once if the time is longer.
const longest = 2 ** 31 - 1;

export function startRealTimer(seconds: number, ring: () => void): () => void {
  let timer: ReturnType<typeof start> | undefined;
  const wait = (left: number) => {
    const next = () => left > longest ? wait(left - longest) : ring();
    timer = start.call(globalThis, next, Math.min(left, longest));
  };
  wait(seconds * 1000);
  return () => stop.call(globalThis, timer);
}
