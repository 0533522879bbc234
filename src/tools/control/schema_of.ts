/** Builds schemas, each with the type of the values that fit it. */

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
