/** Schemas that several routes use. */

import { listEndpointNames } from "../../kit/mock/endpoints.ts";
import type { Schema } from "../../server/schema/schema.ts";
import { text, texts } from "../../server/schema/text.ts";
import { present } from "../../server/values/present.ts";

export const positiveInteger: Schema = { type: "integer", minimum: 1 };

/** The schema of text that may be empty, for responses that repeat a value of a request. */
export const anyText: Schema = { type: "string" };

export const flag: Schema = { type: "boolean" };

export const integer: Schema = { type: "integer" };

export const number: Schema = { type: "number" };

/** Any JSON object. */
export const members: Schema = { type: "object" };

export function aText(description: string): Schema {
  return { ...text, description };
}

export function aFlag(description: string): Schema {
  return { ...flag, description };
}

export function anInteger(description: string): Schema {
  return { ...integer, description };
}

export function anObject(description: string): Schema {
  return { ...members, description };
}

/** The schema of a text that is one of these values. */
export function oneOf(values: readonly string[], description: string): Schema {
  return { type: "string", enum: values, description };
}

/** The schema of a value with several alternatives. */
export function either(description: string, ...anyOf: readonly Schema[]): Schema {
  return { description, anyOf };
}

/** Has no pattern, because the test kit parses durations itself and its errors say more than a pattern. */
export const duration: Schema = either(
  'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
  number,
  text,
);

export const scope: Schema = either(
  "Scope names separated by single spaces, or a list of names.",
  text,
  texts,
);

export const resource: Schema = either(
  "The resource (API) that the token is for, or a list of resources.",
  text,
  texts,
);

export const authorizationDetails: Schema = {
  type: "array",
  items: { type: "object" },
  description: "What the client wants to do in detail (RFC 9396): objects of the configured types.",
};

export const username: Schema = aText("The user name of the person.");

/** For calls that choose a person if the caller names no person. */
export const usernameOrDefault: Schema = aText(
  "Default: the person of automatic sign-in, or the first person.",
);

export const clientOrFirst: Schema = aText(
  "The client id. Default: the first client that may use authorization_code, such as demo.",
);

export const clientKey: Schema = anObject(
  "The private JWK of a client with private_key_jwt, or with signed requests.",
);

/** The description says which key `true` stands for. */
export function dpopKey(description: string): Schema {
  return { type: ["boolean", "object"], description };
}

export const newDpopKey: Schema = dpopKey(
  "true: the tokens are bound to a new key by DPoP, which this server keeps for refresh and dpop_headers. " +
    "A private JWK is the key. Default: true for a client with dpop_bound_access_tokens, and otherwise bearer tokens.",
);

export const nonce: Schema = aText("The value of the claim nonce in the ID token.");

/** The names that the TypeScript API has for a person. */
export const personAliases: Readonly<Record<string, string>> = { person: "username", as: "username" };

/** The name that OAuth has for a client. */
export const clientAliases: Readonly<Record<string, string>> = { client_id: "client" };

export const endpointName: Schema = {
  type: "string",
  description:
    "The endpoint. page: the pages, their files, preflights, and paths that the server does not know.",
  get enum() {
    return listEndpointNames();
  },
};

export const raw: Schema = aFlag("true: includes the secrets.");

/** Limited to 30 seconds, because proxies and clients give up soon after. */
export const wait: Schema = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "How many seconds of real time the call waits at most. Default: 0.",
};

/** The schema of an object that has no other members. */
export function closedObject(
  properties: Readonly<Record<string, Schema>>,
  { required = [], example, description }: {
    readonly required?: readonly string[];
    readonly example?: unknown;
    readonly description?: string;
  } = {},
): Schema {
  return {
    ...present({ description }),
    type: "object",
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties,
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** The schema of an object that may have other members, because responses may get more in later versions. */
export function openObject(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: "object", required, properties };
}

/** The schema of an object whose only documented member is a list. */
export function listOf(name: string, items: Schema, description: string): Schema {
  return openObject({ [name]: { type: "array", items, description } });
}
