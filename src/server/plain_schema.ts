/** The JSON schema of the configuration with the options of all features, for checking values. */

import { defaultFeatures, everyFeature } from "./features/mod.ts";
import { type ConfigurationSchema, describeConfiguration } from "./setup/configuration.ts";
import { gatherSlots } from "./slots.ts";

export function createPlainSchema(): ConfigurationSchema {
  return describeConfiguration(gatherSlots(defaultFeatures(everyFeature)));
}
