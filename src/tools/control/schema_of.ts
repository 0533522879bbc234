/** Builds schemas, each with the type of the values that fit it. Import it as `schema`. */

import type { JsonObject } from "../../server/schema/json_object.ts";
import { type Schema, text as nonEmptyText } from "../../server/schema/schema.ts";
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

export function text(description?: string): SchemaOf<string> {
  return { ...nonEmptyText, ...present({ description }) };
}

/** The schema of text that may be empty, for responses that repeat a value of a request. */
export function anyText(description?: string): SchemaOf<string> {
  return { type: "string", ...present({ description }) };
}

export function flag(description?: string): SchemaOf<boolean> {
  return { type: "boolean", ...present({ description }) };
}

export function integer(description?: string): SchemaOf<number> {
  return { type: "integer", ...present({ description }) };
}

/** The schema of a positive integer. */
export function count(description: string): SchemaOf<number> {
  return { type: "integer", minimum: 1, description };
}

export function number(description?: string): SchemaOf<number> {
  return { type: "number", ...present({ description }) };
}

/** The schema of any JSON object. */
export function object(description?: string): SchemaOf<JsonObject> {
  return { type: "object", ...present({ description }) };
}

/** The schema of an object whose members are text. */
export function textMembers(description?: string): SchemaOf<Readonly<Record<string, string>>> {
  return { type: "object", additionalProperties: anyText(), ...present({ description }) };
}

export function list<T>(items: SchemaOf<T>, description?: string): SchemaOf<readonly T[]> {
  return { type: "array", items, ...present({ description }) };
}

/** Gives a schema a description, or replaces the one that it has. */
export function described<T>(description: string, schema: SchemaOf<T>): SchemaOf<T> {
  return { ...schema, description };
}

/** Puts a sentence before the description of a schema. */
export function prefixed<T>(sentence: string, schema: SchemaOf<T>): SchemaOf<T> {
  return { ...schema, description: `${sentence} ${schema.description}` };
}

/** The schema of one value. */
export function constant<const Value extends string | number | boolean>(value: Value): SchemaOf<Value> {
  return { const: value };
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
  return either(description, text(), list(text()));
}

interface ObjectTerms<Required> {
  readonly required?: readonly Required[];
  readonly example?: unknown;
  readonly description?: string;
}

/** The schema of an object that has no other members. Default: none of its members is required. */
export function closedObject<
  Properties extends Readonly<Record<string, Schema>>,
  Required extends keyof Properties & string = never,
>(
  properties: Properties,
  { required = [], example, description }: ObjectTerms<Required> = {},
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

/**
 * The schema of an object that may have other members, because responses may get more in later versions.
 * Default: all members are required.
 */
export function openObject<
  Properties extends Readonly<Record<string, Schema>>,
  Required extends keyof Properties & string = keyof Properties & string,
>(
  properties: Properties,
  { required = Object.keys(properties) as Required[], example }: Omit<ObjectTerms<Required>, "description"> =
    {},
): SchemaOf<ObjectOf<Properties, Required>> {
  return { type: "object", required, properties, ...(example === undefined ? {} : { examples: [example] }) };
}

/** The schema of an object or null. */
export function orNull<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  return { ...schema, type: ["object", "null"] } as SchemaOf<T | null>;
}

/** The schema of an object whose only documented member is a list. */
export function listOf(name: string, items: Schema, description: string): Schema {
  return openObject({ [name]: list(items, description) });
}
