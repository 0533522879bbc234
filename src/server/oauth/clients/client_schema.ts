/** The schema of client metadata, with the members of a server's features. */

import { explainUnknown, type Schema } from "../../schema/schema.ts";
import type { Slots } from "../feature.ts";
import { coreClientSchemas } from "./client_metadata.ts";

/** Returns the schema. Members of features that the server lacks are not in it, so the schema refuses them. */
export function describeClient(
  { clientMembers, neededOptions }: Pick<Slots, "clientMembers" | "neededOptions">,
): Schema {
  const ofFeatures = [...clientMembers.values()].map(({ name, schema }) => [name, schema] as const);
  const schemas = [...Object.entries(coreClientSchemas), ...ofFeatures];
  return {
    type: "object",
    description: "A client, with the member names of RFC 7591.",
    required: ["client_id"],
    additionalProperties: false,
    [explainUnknown](name) {
      const option = neededOptions.get(name);
      return option && `needs the option ${option}`;
    },
    properties: Object.fromEntries(schemas),
  };
}
