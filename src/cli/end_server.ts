/** Ends a server after a signal: first its requests, and its store last. */

import { within } from "../runtime/within.ts";

export interface EndTerms {
  /** Resolves when the socket has no more requests, or when their time is over. */
  readonly drained: Promise<void>;
  readonly server: { close(): Promise<void> };
  readonly store: { close(): Promise<void> };
  /** The time in seconds that the server, and then the store, have for their end after that. Default: 2. */
  readonly longest?: number;
}

/** Rejects if something did not end in time, so that the program ends in bounded time even if the store hangs. */
export async function endServer({ drained, server, store, longest = 2 }: EndTerms): Promise<void> {
  // At the same time as the socket, because it ends requests that wait at a gate.
  const closed = server.close();
  // Its error is thrown below, after the socket has ended.
  closed.catch(() => {});
  try {
    await drained;
    await requireEnd(closed, longest, "Some requests");
  } finally {
    await requireEnd(store.close(), longest, "The store");
  }
}

async function requireEnd(work: Promise<void>, seconds: number, what: string): Promise<void> {
  if (!await within(seconds, work)) throw new Error(`${what} did not end within ${seconds} s`);
  await work;
}
