/** Tells when a file has changed, however it is written: in place, by renaming, or through a container's mount. */

import { stat } from "node:fs/promises";

const interval = 200;

/** Calls once for a change, when the file has been still for a moment. Returns how to stop. */
export function watchFile(path: string, changed: (path: string) => Promise<void>): () => void {
  let told: string | undefined;
  let seen: string | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const state = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => undefined,
    );
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
