/** Describes in words which values a schema accepts. */

import { isJsonObject } from "./json_object.ts";
import { withArticle } from "./received.ts";
import type { JsonType, Schema } from "./schema.ts";

/** Returns a text that follows the name of a value: `must be an integer from 1 to 600`. */
export function describeSchema(schema: Schema): string {
  if (schema.pattern !== undefined) return `must look like ${describePattern(schema)}`;
  return `must be ${describeAccepted(schema)}${describeExample(schema)}`;
}

/** Shows the form of an object: `: for example { "orders": "See your orders" }`. */
function describeExample({ type, examples: [example] = [] }: Schema): string {
  if (type !== "object" || !isJsonObject(example)) return "";
  return `: for example ${JSON.stringify(example, null, 1).replaceAll(/\n */g, " ")}`;
}

function describePattern({ pattern, examples }: Schema): string {
  return examples?.join(" or ") ?? `${pattern}`;
}

function describeAccepted(schema: Schema): string {
  if (schema.pattern !== undefined) return `text like ${describePattern(schema)}`;
  if (schema.const !== undefined) return `${schema.const}`;
  if (schema.enum !== undefined) return `one of ${schema.enum.join(", ")}`;
  const types = [schema.type ?? []].flat();
  if (types.length > 0) {
    return joinWithOr(types.map((type) => describeType(type, schema))) + describeRange(schema);
  }
  if (schema.anyOf !== undefined) return joinWithOr(schema.anyOf.map(describeAccepted));
  const range = describeRange(schema);
  return range === "" ? "given" : `a number${range}`;
}

function describeType(type: JsonType, { items }: Schema): string {
  if (type === "null") return type;
  const isOfOneType = type === "array" && typeof items?.type === "string";
  return isOfOneType ? `an array of ${items.type}s` : withArticle(type);
}

function describeRange({ minimum, exclusiveMinimum, maximum }: Schema): string {
  if (exclusiveMinimum !== undefined) {
    return ` above ${exclusiveMinimum}${maximum === undefined ? "" : ` and up to ${maximum}`}`;
  }
  if (minimum === undefined) return maximum === undefined ? "" : ` up to ${maximum}`;
  return maximum === undefined ? ` of ${minimum} or more` : ` from ${minimum} to ${maximum}`;
}

function joinWithOr(parts: readonly string[]): string {
  const each = [...new Set(parts)];
  const last = each.pop();
  return each.length === 0 ? `${last}` : `${each.join(", ")} or ${last}`;
}
