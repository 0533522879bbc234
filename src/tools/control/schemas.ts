/** Schemas that several routes use, each with the type of the values that fit it. */

import type { DpopTerm } from "../../kit/mock/client/dpop_client.ts";
import type { LoginTerms } from "../../kit/mock/client/login.ts";
import { type EndpointName, listEndpointNames } from "../../kit/mock/endpoints.ts";
import type { Duration } from "../../server/schema/duration.ts";
import type { JsonObject } from "../../server/schema/json_object.ts";
import type { Schema } from "../../server/schema/schema.ts";
import { text as nonEmptyText, texts as nonEmptyTexts } from "../../server/schema/text.ts";
import { present } from "../../server/values/present.ts";

/** A schema, and for the compiler the type of the values that fit it. No schema has the member `fits`. */
export interface SchemaOf<T> extends Schema {
  readonly fits?: T;
}

/** The type of the values that fit a schema. */
export type Fitting<S> = S extends SchemaOf<infer T> ? T : unknown;

/** The schemas of the members of a type. */
export type SchemasOf<T> = { readonly [Name in keyof T]-?: SchemaOf<Exclude<T[Name], undefined>> };

/** An object that fits these schemas of its members. */
type ObjectOf<Properties, Required extends keyof Properties> =
  & { readonly [Name in Required]: Fitting<Properties[Name]> }
  & { readonly [Name in Exclude<keyof Properties, Required>]?: Fitting<Properties[Name]> };

export const text: SchemaOf<string> = nonEmptyText;

export const texts: SchemaOf<readonly string[]> = nonEmptyTexts;

export const positiveInteger: SchemaOf<number> = { type: "integer", minimum: 1 };

/** The schema of text that may be empty, for responses that repeat a value of a request. */
export const anyText: SchemaOf<string> = { type: "string" };

export const flag: SchemaOf<boolean> = { type: "boolean" };

export const integer: SchemaOf<number> = { type: "integer" };

export const number: SchemaOf<number> = { type: "number" };

/** Any JSON object. */
export const members: SchemaOf<JsonObject> = { type: "object" };

/** An object whose members are text. */
export const textMembers: SchemaOf<Readonly<Record<string, string>>> = {
  type: "object",
  additionalProperties: anyText,
};

/** The status of an answer that the caller chooses. */
export const answerStatus: SchemaOf<number> = {
  ...integer,
  minimum: 200,
  maximum: 599,
  description: "The status. Default: 200.",
};

export const always: SchemaOf<true> = { const: true };

export const never: SchemaOf<false> = { type: "boolean", const: false };

export function aText(description: string): SchemaOf<string> {
  return { ...text, description };
}

export function aFlag(description: string): SchemaOf<boolean> {
  return { ...flag, description };
}

export function anInteger(description: string): SchemaOf<number> {
  return { ...integer, description };
}

export function anObject(description: string): SchemaOf<JsonObject> {
  return { ...members, description };
}

/** The schema of a text that is one of these values. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  description: string,
): SchemaOf<Value> {
  return { type: "string", enum: values, description };
}

/** The schema of a value with several alternatives. */
export function either<Schemas extends readonly Schema[]>(
  description: string,
  ...anyOf: Schemas
): SchemaOf<Fitting<Schemas[number]>> {
  return { description, anyOf };
}

/** The schema of a text or a list of texts. */
export function oneOrMore(description: string): SchemaOf<string | readonly string[]> {
  return either(description, text, texts);
}

/** Has no pattern, because the test kit parses durations itself and its errors say more than a pattern. */
export const duration: SchemaOf<Duration> = either(
  'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
  number,
  text,
);

export const scope: SchemaOf<string | readonly string[]> = oneOrMore(
  "Scope names separated by single spaces, or a list of names.",
);

export const resource: SchemaOf<string | readonly string[]> = oneOrMore(
  "The resource (API) that the token is for, or a list of resources.",
);

export const authorizationDetails: SchemasOf<LoginTerms>["authorizationDetails"] = {
  type: "array",
  items: { type: "object" },
  description: "What the client wants to do in detail (RFC 9396): objects of the configured types.",
};

export const username: SchemaOf<string> = aText("The user name of the person.");

/** For calls that choose a person if the caller names no person. */
export const usernameOrDefault: SchemaOf<string> = aText(
  "Default: the person of automatic sign-in, or the first person.",
);

export const clientOrFirst: SchemaOf<string> = aText(
  "The client id. Default: the first client that may use authorization_code, such as demo.",
);

export const clientKey: SchemasOf<LoginTerms>["clientKey"] = {
  ...members,
  description: "The private JWK of a client with private_key_jwt, or with signed requests.",
};

/** The description says which key `true` stands for. */
export function dpopKey(description: string): SchemaOf<DpopTerm> {
  return { type: ["boolean", "object"], description };
}

export const newDpopKey: SchemaOf<DpopTerm> = dpopKey(
  "true: the tokens are bound to a new key by DPoP, which this server keeps for refresh and dpop_headers. " +
    "A private JWK is the key. Default: true for a client with dpop_bound_access_tokens, and otherwise bearer tokens.",
);

export const nonce: SchemaOf<string> = aText("The value of the claim nonce in the ID token.");

/** The names that the TypeScript API has for a person. */
export const personAliases: Readonly<Record<string, string>> = { person: "username", as: "username" };

/** The name that OAuth has for a client. */
export const clientAliases: Readonly<Record<string, string>> = { client_id: "client" };

export const endpointName: SchemaOf<EndpointName> = {
  type: "string",
  description:
    "The endpoint. page: the pages, their files, preflights, and paths that the server does not know.",
  get enum() {
    return listEndpointNames();
  },
};

export const raw: SchemaOf<boolean> = aFlag("true: includes the secrets.");

/** Limited to 30 seconds, because proxies and clients give up soon after. */
export const wait: SchemaOf<number> = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "How many seconds of real time the call waits at most. Default: 0.",
};

/** The schema of an object that has no other members. */
export function closedObject<
  Properties extends Readonly<Record<string, Schema>>,
  Required extends keyof Properties & string = never,
>(
  properties: Properties,
  { required = [], example, description }: {
    readonly required?: readonly Required[];
    readonly example?: unknown;
    readonly description?: string;
  } = {},
): SchemaOf<ObjectOf<Properties, Required>> {
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
export function openObject<
  Properties extends Readonly<Record<string, Schema>>,
  Required extends keyof Properties & string = keyof Properties & string,
>(
  properties: Properties,
  required: readonly Required[] = Object.keys(properties) as Required[],
): SchemaOf<ObjectOf<Properties, Required>> {
  return { type: "object", required, properties };
}

/** The schema of an object or null. */
export function orNull<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  return { ...schema, type: ["object", "null"] } as SchemaOf<T | null>;
}

/** The schema of an object whose only documented member is a list. */
export function listOf(name: string, items: Schema, description: string): Schema {
  return openObject({ [name]: { type: "array", items, description } });
}
