/** The JSON schema of the configuration, with descriptions for editors and documents. */

import published from "../../static/configuration.schema.json" with { type: "json" };
import { present } from "../ground/values/present.ts";
import type { Schema } from "../ground/schema/schema.ts";
import type { ConfigurationSchema } from "./setup/configuration.ts";
import { createPlainSchema } from "./plain_schema.ts";

/** Creates the JSON schema. It is the published one, which editors read. */
export function createConfigurationSchema(): ConfigurationSchema {
  return withDescriptions(createPlainSchema(), published as Schema) as ConfigurationSchema;
}

/** Returns the schema with the descriptions of one that has the same structure. */
function withDescriptions(schema: Schema, described: Schema): Schema {
  const { items, anyOf, properties, additionalProperties: others } = schema;
  const { additionalProperties: describedOthers } = described;
  return {
    ...schema,
    ...present({
      description: described.description,
      items: items && withDescriptions(items, described.items ?? {}),
      anyOf: anyOf?.map((each, index) => withDescriptions(each, described.anyOf?.[index] ?? {})),
      properties: properties && Object.fromEntries(
        Object.entries(properties).map((
          [name, each],
        ) => [name, withDescriptions(each, described.properties?.[name] ?? {})]),
      ),
      additionalProperties: typeof others === "object" && typeof describedOthers === "object"
        ? withDescriptions(others, describedOthers)
        : others,
    }),
  };
}
