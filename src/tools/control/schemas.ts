/** Schemas that several routes use. */

import { type EndpointName, listEndpointNames } from "../../kit/mock/endpoints.ts";
import type { Duration } from "../../ground/schema/duration.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemaOf } from "../../ground/schema/schema_of.ts";

export const answerStatus: SchemaOf<number> = {
  ...schema.integer(),
  minimum: 200,
  maximum: 599,
  description: "The status. Default: 200.",
};

/** Has no pattern, because the test kit parses durations itself and its errors say more than a pattern. */
export const duration: SchemaOf<Duration> = schema.either(
  'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
  schema.number(),
  schema.text(),
);

export const username: SchemaOf<string> = schema.text("The username of the person.");

export const namedPerson: SchemaOf<{ readonly username: string }> = schema.closedObject({ username }, {
  required: ["username"],
  example: { username: "alice" },
});

/** For calls that choose a person if the caller names no person. */
export const usernameOrDefault: SchemaOf<string> = schema.text(
  "Default: the person of automatic sign-in, or the first person.",
);

export const endpointName: SchemaOf<EndpointName> = {
  type: "string",
  description:
    "The endpoint. page: the pages, their files, preflights, and paths that the server does not know.",
  get enum() {
    return listEndpointNames();
  },
};

export const raw: SchemaOf<boolean> = schema.flag("true: includes the secrets.");

/** Limited to 30 seconds, because proxies and clients give up soon after. */
export const wait: SchemaOf<number> = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "How many seconds of real time the call waits at most. Default: 0.",
};
