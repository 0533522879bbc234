/** The published schema of the configuration, with what every feature reads of a client. */

import { defaultFeatures } from "./features/mod.ts";
import { gatherSlots } from "./oauth/slots.ts";
import { type ConfigurationSchema, describeConfiguration } from "./setup/configuration.ts";

/** Creates the JSON schema of a configuration. The command line checks with it; editors read the published file. */
export function createConfigurationSchema(): ConfigurationSchema {
  return describeConfiguration(gatherSlots(defaultFeatures({ firstUse: true })));
}
