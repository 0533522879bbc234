/** Watches a file by polling, because file events miss renames and changes through a container's mount. */

import { statSync } from "node:fs";

const interval = 200;

/** Calls `changed` when the file has changed and then stayed the same for a moment. Returns a function that stops. */
export function watchFile(path: string, changed: (path: string) => Promise<void>): () => void {
  // Reads the state before the first pause, so that a change immediately after this call is noticed.
  let reported = readState(path);
  let seen: string | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const state = readState(path);
    reported ??= state;
    // Waits for two equal states, because editors write in several steps and some remove the file for a moment.
    if (state !== undefined && state !== reported && state === seen) {
      reported = state;
      await changed(path);
    }
    seen = state;
    if (!stopped) setTimeout(look, interval).unref();
  }

  void look();
  return () => void (stopped = true);
}

/** Returns `undefined` if the file is missing or cannot be read. */
function readState(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
