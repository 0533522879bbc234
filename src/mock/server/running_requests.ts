/** The requests that are running: closing waits for them, but not for ever. */

import { within } from "../../runtime/within.ts";

export interface RunningRequests {
  /** `name` tells the test which request does not end. */
  run<T>(name: string, work: Promise<T>): Promise<T>;
  /** Resolves when no request runs any more. After three seconds it rejects and names the requests. */
  finish(closing: string): Promise<void>;
  /** After a reset, closing no longer waits for the requests from before it. */
  forget(): void;
}

// Seconds of real time: less than test runners wait, so that the test sees the error.
const closeTimeout = 3;

export function createRunningRequests(): RunningRequests {
  const running = new Map<Promise<unknown>, string>();
  return {
    async run(name, work) {
      running.set(work, name);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    async finish(closing) {
      if (running.size === 0 || await within(closeTimeout, Promise.allSettled(running.keys()))) return;
      const names = [...new Set(running.values())].join(", ");
      throw new Error(
        `Cannot close the ${closing}: ${names} is still running: ` +
          "a hook that never returns, or a body that never ends?",
      );
    },
    forget: () => running.clear(),
  };
}
