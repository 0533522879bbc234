/** The JSON schema of the configuration, with the client metadata of all features. */

import { defaultFeatures, everyFeature } from "../features/mod.ts";
import { gatherSlots } from "./slots.ts";
import { type ConfigurationSchema, describeConfiguration } from "../setup/configuration.ts";

/** Creates the JSON schema. The command line checks configurations with it, and editors read the published file. */
export function createConfigurationSchema(): ConfigurationSchema {
  return describeConfiguration(gatherSlots(defaultFeatures(everyFeature)));
}
