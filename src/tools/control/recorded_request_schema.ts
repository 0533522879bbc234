/** The schemas of recorded requests and refusals. */

import type { Schema } from "../../ground/schema/schema.ts";
import { resultOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import { endpointName } from "./schemas.ts";

export const journalEntry: Schema = schema.described(
  "The request and the response with their secrets. Only if raw is true.",
  resultOf("JournalEntry"),
);

export const recordedRequest: Schema = resultOf("RecordedRequest", {
  endpoint: endpointName,
  fault: schema.text("The name of an unexpected error inside the server or a hook."),
  raw: journalEntry,
});

export const refusal: Schema = recordedRequest.properties!["refusal"]!;
