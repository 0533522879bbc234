/** Stops the program when the terminal or the system asks for it. */

import process from "node:process";

// In seconds. A second signal within this time is the same Ctrl-C, because a task runner sends it again.
const echo = 0.3;

export interface StopTerms {
  /** Called with the name of the first signal. */
  readonly stop: (signal: string) => Promise<void>;
  /** Called with the error of `stop`. */
  readonly reportError: (message: string) => void;
}

export function stopOnSignal({ stop, reportError }: StopTerms): void {
  let stoppingSince: number | undefined;
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    process.on(signal, async () => {
      const now = performance.now() / 1000;
      if (stoppingSince !== undefined) {
        // A second Ctrl-C ends the program without waiting.
        if (now - stoppingSince > echo) process.exit(code);
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
    });
  }
}
