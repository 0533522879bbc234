/** Time limits of calls to a database. Times are those of a monotonic clock, in milliseconds. */

/** The call has not settled in time. */
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

/** Resolves after this many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
