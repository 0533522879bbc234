/** Tells when a file has changed, however it is written: in place, by renaming, or through a container's mount. */

import { statSync } from "node:fs";

const interval = 200;

/** Calls once for a change, when the file has been still for a moment. Returns how to stop. */
export function watchFile(path: string, changed: (path: string) => Promise<void>): () => void {
  // At once: what changes right after this must not be taken for what was there.
  let told = readState(path);
  let seen: string | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const state = readState(path);
    told ??= state;
    // Editors write in several steps, and some take the file away for a moment.
    if (state !== undefined && state !== told && state === seen) {
      told = state;
      await changed(path);
    }
    seen = state;
    if (!stopped) setTimeout(look, interval).unref();
  }

  void look();
  return () => void (stopped = true);
}

/** `undefined`: it is not there, or not to be looked at. */
function readState(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
