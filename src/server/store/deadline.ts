/** Time limits of calls to a database. Times are those of a monotonic clock, in milliseconds. */

export class TooLate extends Error {
  override readonly name = "TooLate";
}

export function deadlineIn(seconds: number): number {
  return performance.now() + seconds * 1000;
}

/** Settles as the promise does, or rejects with `TooLate` at the deadline. */
export async function within<T>(promise: PromiseLike<T>, deadline: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new TooLate("there is no answer")),
      Math.max(0, deadline - performance.now()),
    );
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// Milliseconds.
const firstPause = 5;
const longestPause = 250;

/** Waits before the next attempt, longer each time. Resolves to `false` immediately if the deadline leaves no time. */
export function createRetryPause(deadline: number): () => Promise<boolean> {
  let longest = firstPause;
  return async () => {
    if (performance.now() + longest >= deadline) return false;
    // A random part, so that processes that failed together do not come back together.
    await pause(longest * (0.5 + Math.random() / 2));
    longest = Math.min(2 * longest, longestPause);
    return true;
  };
}
