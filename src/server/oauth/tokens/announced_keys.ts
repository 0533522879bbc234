/** Makes keys for the announced ID token algorithms when a client reads them. Most servers need only one key. */

import type { Services } from "../services.ts";

/** Makes the missing keys. If that fails, the next request tries again. */
export async function prepareAnnouncedKeys({ settings, keys }: Services): Promise<void> {
  for (const alg of settings.idTokenAlgorithms) await keys.prepare(alg).catch(() => {});
}
