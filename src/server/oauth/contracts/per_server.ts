/** What a feature keeps in memory for each server. Servers share the feature, so that each takes less memory. */

import { remember } from "../../../ground/values/remember.ts";
import type { Services } from "./feature.ts";
import type { Settings } from "./settings.ts";

/** Returns a function that finds what `create` has returned for a server. */
export function perServer<Kept>(create: (services: Services) => Kept): (services: Services) => Kept {
  // A rehearsal and a few steps change other services for one request.
  const kept = new WeakMap<Settings, Kept>();
  return (services) => remember(kept, services.settings, () => create(services));
}
