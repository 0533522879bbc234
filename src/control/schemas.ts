/** The schemas that the control's table is written with: what a body, a query or an answer holds. */

import { endpointNames } from "../mock/endpoints.ts";
import type { Schema } from "../schema/schema.ts";

export const text: Schema = { type: "string", minLength: 1 };

export const countable: Schema = { type: "integer", minimum: 1 };

export const texts: Schema = { type: "array", items: text };

/** Of an answer, which may repeat what somebody sent. */
export const anyText: Schema = { type: "string" };

export const flag: Schema = { type: "boolean" };

export const integer: Schema = { type: "integer" };

export const number: Schema = { type: "number" };

/** Anything that is no JSON object is wrong, and anything in it is right. */
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

export const scope: Schema = either("With one space between two, or a list.", text, texts);

export const resource: Schema = either("The API that the token is for, or a list.", text, texts);

export const username: Schema = { ...text, description: "Whom it is about, by the name they sign in with." };

export const endpointName: Schema = { type: "string", enum: endpointNames };

export const raw: Schema = { ...flag, description: "true: with the secrets." };

/** How long a long poll lasts at most: proxies and clients give up soon after. */
export const wait: Schema = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "Seconds of real time to wait for what is not there yet. Default: 0.",
};

/** What has these members and no others. */
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

/** What has at least these members: the kit may come to say more. */
export function open(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: "object", required, properties };
}

export function listOf(name: string, items: Schema): Schema {
  return open({ [name]: { type: "array", items } });
}
