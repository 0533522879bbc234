/** Schemas for the bodies, queries and answers of several routes. */

import { listEndpointNames } from "../mock/endpoints.ts";
import type { Schema } from "../schema/schema.ts";
import { text, texts } from "../schema/text.ts";

export const countable: Schema = { type: "integer", minimum: 1 };

/** For an answer, which may repeat an empty value of a request. */
export const anyText: Schema = { type: "string" };

export const flag: Schema = { type: "boolean" };

export const integer: Schema = { type: "integer" };

export const number: Schema = { type: "number" };

/** Any JSON object. */
export const members: Schema = { type: "object" };

export function either(description: string, ...anyOf: readonly Schema[]): Schema {
  return { description, anyOf };
}

/** The kit parses durations and moments: its errors say more than a pattern could. */
export const duration: Schema = either(
  'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
  number,
  text,
);

export const scope: Schema = either("Names separated by single spaces, or a list.", text, texts);

export const resource: Schema = either("The API that the token is for, or a list.", text, texts);

export const username: Schema = { ...text, description: "The name that the person signs in with." };

export const endpointName: Schema = {
  type: "string",
  get enum() {
    return listEndpointNames();
  },
};

export const raw: Schema = { ...flag, description: "true: with the secrets." };

/** At most 30 seconds: soon after that, proxies and clients give up. */
export const wait: Schema = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "Seconds of real time to wait for the first one. Default: 0.",
};

/** An object with these members and no others. */
export function closed(
  properties: Readonly<Record<string, Schema>>,
  { required = [], example, description }: {
    readonly required?: readonly string[];
    readonly example?: unknown;
    readonly description?: string;
  } = {},
): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    type: "object",
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties,
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** An object with at least these members. Answers may get more in later versions. */
export function open(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: "object", required, properties };
}

export function listOf(name: string, items: Schema): Schema {
  return open({ [name]: { type: "array", items } });
}
