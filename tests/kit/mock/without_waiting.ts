/** Lets a test see what happens when running requests do not end, without the wait of three seconds. */

/** Ends each wait of three seconds of real time at once. */
export function withoutWaiting(): Disposable {
  const { waitAsync } = Atomics;
  const isLong = (milliseconds = 0) => milliseconds > 2900 && milliseconds <= 3000;
  const timedOut = { async: true, value: Promise.resolve("timed-out") };
  Atomics.waitAsync =
    ((cell: Int32Array, at: number, value: number, milliseconds?: number) =>
      isLong(milliseconds) ? timedOut : waitAsync(cell, at, value, milliseconds)) as typeof waitAsync;
  return { [Symbol.dispose]: () => void (Atomics.waitAsync = waitAsync) };
}
