/** Builds schemas, each with the type of the values that fit it. Import it as `schema`. */

import type { JsonObject } from "./json_object.ts";
import { type Schema, text as nonEmptyText } from "./schema.ts";
import { present } from "../values/present.ts";

/** A schema, and for the compiler the type of the values that fit it. No schema has the member `fits`. */
export interface SchemaOf<T> extends Schema {
  readonly fits?: T;
}

export type Fitting<S> = S extends SchemaOf<infer T> ? T : unknown;

export type SchemasOf<T> = { readonly [Name in keyof T]-?: SchemaOf<Exclude<T[Name], undefined>> };

type ObjectOf<Properties, Required extends keyof Properties> =
  & { readonly [Name in Required]: Fitting<Properties[Name]> }
  & { readonly [Name in Exclude<keyof Properties, Required>]?: Fitting<Properties[Name]> };

export function text(description?: string): SchemaOf<string> {
  return { ...nonEmptyText, ...present({ description }) };
}

/** The text may be empty, for responses that repeat a value of a request. */
export function anyText(description?: string): SchemaOf<string> {
  return { type: "string", ...present({ description }) };
}

export function flag(description?: string): SchemaOf<boolean> {
  return { type: "boolean", ...present({ description }) };
}

export function integer(description?: string): SchemaOf<number> {
  return { type: "integer", ...present({ description }) };
}

export function count(description: string): SchemaOf<number> {
  return { type: "integer", minimum: 1, description };
}

export function number(description?: string): SchemaOf<number> {
  return { type: "number", ...present({ description }) };
}

export function object(description?: string): SchemaOf<JsonObject> {
  return { type: "object", ...present({ description }) };
}

export function textMembers(description?: string): SchemaOf<Readonly<Record<string, string>>> {
  return { type: "object", additionalProperties: anyText(), ...present({ description }) };
}

export function list<T>(items: SchemaOf<T>, description?: string): SchemaOf<readonly T[]> {
  return { type: "array", items, ...present({ description }) };
}

export function described<T>(description: string, schema: SchemaOf<T>): SchemaOf<T> {
  return { ...schema, description };
}

export function prefixed<T>(sentence: string, schema: SchemaOf<T>): SchemaOf<T> {
  return { ...schema, description: `${sentence} ${schema.description}` };
}

export function constant<const Value extends string | number | boolean>(value: Value): SchemaOf<Value> {
  return { const: value };
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
  description: string,
): SchemaOf<Value> {
  return { type: "string", enum: values, description };
}

export function either<Schemas extends readonly Schema[]>(
  description: string,
  ...anyOf: Schemas
): SchemaOf<Fitting<Schemas[number]>> {
  return { description, anyOf };
}

export function oneOrMore(description: string): SchemaOf<string | readonly string[]> {
  return either(description, text(), list(text()));
}

interface ObjectOptions<Required> {
  readonly required?: readonly Required[];
  readonly example?: unknown;
  readonly description?: string;
}

/** The object has no other members. Default: none of its members is required. */
export function closedObject<
  Properties extends Readonly<Record<string, Schema>>,
  Required extends keyof Properties & string = never,
>(
  properties: Properties,
  { required = [], example, description }: ObjectOptions<Required> = {},
): SchemaOf<ObjectOf<Properties, Required>> {
  return {
    ...present({ description }),
    type: "object",
    additionalProperties: false,
    ...present({ required: required.length === 0 ? undefined : required }),
    properties,
    ...present({ examples: example === undefined ? undefined : [example] }),
  };
}

/** The object may have other members, because responses may get more in later versions. Default: all are required. */
export function openObject<
  Properties extends Readonly<Record<string, Schema>>,
  Required extends keyof Properties & string = keyof Properties & string,
>(
  properties: Properties,
  { required = Object.keys(properties) as Required[], example }: Omit<
    ObjectOptions<Required>,
    "description"
  > = {},
): SchemaOf<ObjectOf<Properties, Required>> {
  return {
    type: "object",
    required,
    properties,
    ...present({ examples: example === undefined ? undefined : [example] }),
  };
}

export function orNull<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  return { ...schema, type: ["object", "null"] } as SchemaOf<T | null>;
}

export function listOf(name: string, items: Schema, description: string): Schema {
  return openObject({ [name]: list(items, description) });
}
