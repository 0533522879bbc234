/** The schemas of recorded requests and refusals. */

import type { Schema } from "../../ground/schema/schema.ts";
import { resultOf } from "./kit_types.ts";
import * as schema from "./schema_of.ts";
import { endpointName } from "./schemas.ts";

const headers = schema.list(schema.list(schema.anyText()));

export const journalEntry: Schema = {
  ...schema.openObject({
    id: schema.text(),
    receivedAt: schema.number(),
    duration: schema.number(),
    request: schema.openObject({
      method: schema.text(),
      path: schema.text(),
      query: schema.anyText(),
      headers,
      body: schema.anyText(),
    }, { required: ["method", "path", "query", "headers"] }),
    response: schema.openObject({ status: schema.integer(), headers, body: schema.anyText() }, {
      required: ["status", "headers"],
    }),
    facts: schema.object("The facts that the server recorded about the request."),
  }),
  description: "The request and the response with their secrets. Only with raw=true.",
};

export const recordedRequest: Schema = resultOf("RecordedRequest", {
  endpoint: endpointName,
  fault: schema.text("The name of an unexpected error inside the server or a hook."),
  raw: journalEntry,
});

export const refusal: Schema = recordedRequest.properties!["refusal"]!;
