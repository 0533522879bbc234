/** The published schema of the configuration, with what every feature reads of a client. */

import { defaultFeatures } from "./features/mod.ts";
import { gatherSlots } from "./oauth/slots.ts";
import { type ConfigurationSchema, describeConfiguration } from "./setup/configuration.ts";

/** Checks a configuration, here and in editors that read the published file. */
export const configurationSchema: ConfigurationSchema = describeConfiguration(
  gatherSlots(defaultFeatures({ firstUse: true })),
);
