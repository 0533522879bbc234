/** The keys behind what the metadata announces for ID tokens: made when a client asks, because few clients use them all. */

import type { Services } from "./services.ts";

/** A key that cannot be made now is tried again with the next request. */
export async function prepareAnnouncedKeys({ settings, keys }: Services): Promise<void> {
  for (const alg of settings.idTokenAlgorithms) await keys.prepare(alg).catch(() => {});
}
