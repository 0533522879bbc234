/** The JSON schema of the configuration without its descriptions, which editors show. */

import { createPlainSchema } from "./plain_schema.ts";
import type { ConfigurationSchema } from "./setup/configuration.ts";

export function createConfigurationSchema(): ConfigurationSchema {
  return createPlainSchema();
}
