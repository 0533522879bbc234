/** Stops a server when the terminal or the system asks for it: ends its requests first, and its store last. */

import process from "node:process";
import { within } from "../../../server/runtime/real_timer.ts";
import { endWithNpx } from "./end_with_npx.ts";

interface EndOptions {
  /** Resolves when the socket has no more requests, or when their time is over. Tells whether all requests have ended. */
  readonly drained: Promise<boolean>;
  readonly server: { close(): Promise<void> };
  readonly store: { close(): Promise<void> };
  /** How many seconds each may take to end, when the socket has no more requests. */
  readonly limits?: Readonly<Record<"server" | "store", number>>;
}

// A running call of a store takes up to five seconds.
const usualLimits = { server: 2, store: 6 };

/** Rejects if something did not end in time, so that the program ends in bounded time even if the store hangs. */
export async function endServer({ drained, server, store, limits = usualLimits }: EndOptions): Promise<void> {
  // At the same time as the socket, because it ends requests that wait at a gate.
  const closed = server.close();
  // Its error is thrown below, after the socket has ended.
  closed.catch(() => {});
  try {
    const haveEnded = await drained;
    // Without requests, the server is only making a key, which takes seconds on a busy machine. Nothing needs the key.
    if (!await endsWithin(limits.server, closed) && !haveEnded) {
      throw new Error("Some requests did not end in time");
    }
  } finally {
    await endStore(store, limits.store);
  }
}

async function endStore(store: EndOptions["store"], seconds: number): Promise<void> {
  if (!await endsWithin(seconds, store.close())) throw new Error(`The store did not end within ${seconds} s`);
}

/** Resolves to whether the work ended in time. Rejects if it failed. */
async function endsWithin(seconds: number, work: Promise<void>): Promise<boolean> {
  const isInTime = await within(seconds, work);
  if (isInTime) await work;
  return isInTime;
}

// In seconds. A second signal within this time is the same Ctrl-C, because a task runner sends it again.
const echo = 0.3;

interface StopOptions {
  readonly stop: (signal: string) => Promise<void>;
  readonly reportError: (message: string) => void;
  /** The end of the standard input stops the server, too. */
  readonly withInput: boolean;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

export async function stopOnSignal({ stop, reportError, withInput }: StopOptions): Promise<void> {
  let stoppingSince: number | undefined;
  const end = async (signal: keyof typeof exitCodes) => {
    const now = performance.now() / 1000;
    if (stoppingSince !== undefined) {
      // A second Ctrl-C ends the program without waiting.
      if (now - stoppingSince > echo) process.exit(exitCodes[signal]);
      return;
    }
    stoppingSince = now;
    try {
      await stop(signal);
    } catch (error) {
      reportError((error as Error).message);
      process.exit(1);
    }
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end(signal));
  if (withInput) {
    // an input that cannot be read has ended, too
    for (const event of ["end", "error"]) process.stdin.once(event, () => end("SIGTERM"));
    process.stdin.resume();
  }
  if (process.env["npm_lifecycle_event"] === "npx") {
    await endWithNpx(() => end("SIGTERM"));
  }
}
