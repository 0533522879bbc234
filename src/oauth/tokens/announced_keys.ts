/** Keys for the ID token algorithms that the metadata announces: made when a client asks, because few are used. */

import type { Services } from "../services.ts";

/** A key that cannot be made now is tried again with the next request. */
export async function prepareAnnouncedKeys({ settings, keys }: Services): Promise<void> {
  for (const alg of settings.idTokenAlgorithms) await keys.prepare(alg).catch(() => {});
}
