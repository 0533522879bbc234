/** Limits against a flood of sign-ins: a queue for password hashing, and a count of failures for each peer. */

import type { PeerLimit } from "./peer_limit.ts";

/** The limits of one process. They are in memory, because they protect the process's own CPU. */
export interface SignInLimits {
  readonly hashing: Turns;
  /** Counts failed sign-ins. */
  readonly peerFailures: PeerLimit;
}

/** Runs a bounded number of tasks at the same time. A bounded number of further tasks waits. */
export interface Turns {
  /** Runs the task when it is its turn. Returns `undefined`, and never runs the task, if too many tasks are waiting. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined;
}
