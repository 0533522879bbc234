/** Stops the program when the terminal or the system asks for it. */

import process from "node:process";

// Seconds. A terminal and a task runner both pass on the same Ctrl-C.
const echo = 0.3;

export function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    process.on(signal, async () => {
      const now = performance.now() / 1000;
      if (stoppingSince !== undefined) {
        // Whoever asks twice does not want to wait.
        if (now - stoppingSince > echo) process.exit(code);
        return;
      }
      stoppingSince = now;
      try {
        await stop();
      } catch (error) {
        console.error(`postern: ${(error as Error).message}`);
        process.exit(1);
      }
      process.exit(0);
    });
  }
}
