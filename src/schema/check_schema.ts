/** Checks a value against the part of JSON Schema that the published configuration schema is written in. */

import { describeUnknown } from "./nearest.ts";
import { describeReceived, describeType } from "./received.ts";

/** The part of JSON Schema that a configuration needs. */
export interface Schema {
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
}

/** Where the value is wrong, and how: `undefined` when it is right. */
export interface SchemaProblem {
  /** As one would write it: `clients[0].redirect_uris[1]`. Empty for the value itself. */
  readonly place: string;
  readonly expected: string;
  /** What came, where that may be said. */
  readonly received?: string;
  /** Where a name is not known: those that are. */
  readonly known?: readonly string[];
}

export function checkSchema(value: unknown, schema: Schema, place = ""): SchemaProblem | undefined {
  const wrong = (expected: string): SchemaProblem => {
    const received = holdsObjects(schema) ? describeType(value) : describeReceived(place, value);
    return { place, expected, ...(received === undefined ? {} : { received }) };
  };
  if (schema.type !== undefined && typeOf(value, schema.type) !== schema.type) {
    return wrong(`must be ${article(schema.type)}`);
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return wrong(`must be one of ${schema.enum.join(", ")}`);
  }
  if (typeof value === "string") {
    if (value.length < (schema.minLength ?? 0)) return wrong("must not be empty");
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) {
      return wrong(`must look like ${schema.examples?.join(" or ") ?? schema.pattern}`);
    }
  }
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum || value > maximum) return wrong(describeRange(minimum, maximum));
  }
  if (Array.isArray(value)) {
    return firstProblem(value.map((item, index) => [`${place}[${index}]`, item, schema.items]));
  }
  return typeof value === "object" && value !== null ? checkMembers(value, schema, place) : undefined;
}

function checkMembers(value: object, schema: Schema, place: string): SchemaProblem | undefined {
  const inside = (name: string) => place === "" ? name : `${place}.${name}`;
  const { properties = {}, additionalProperties = true, required = [] } = schema;
  const schemas = new Map(Object.entries(properties));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Before what is missing: it may be there, misspelt.
  const unknown = members.find(([name]) => !schemas.has(name) && additionalProperties === false);
  if (unknown !== undefined) {
    const [name] = unknown;
    const known = [...schemas.keys()];
    return { place: inside(name), expected: describeUnknown(name, known), known };
  }
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { place: inside(missing), expected: "is required" };
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  return firstProblem(members.map(([name, member]) => [inside(name), member, schemas.get(name) ?? others]));
}

/** Written as text, by mistake, they would bring their secrets along. */
function holdsObjects({ type, items }: Schema): boolean {
  return type === "object" || items?.type === "object";
}

function firstProblem(
  checks: readonly (readonly [place: string, value: unknown, schema: Schema | undefined])[],
): SchemaProblem | undefined {
  for (const [place, value, schema] of checks) {
    const problem = schema && checkSchema(value, schema, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function typeOf(value: unknown, wanted: Schema["type"]): string {
  if (Array.isArray(value)) return "array";
  if (value === null) return "null";
  return wanted === "integer" && Number.isInteger(value) ? "integer" : typeof value;
}

function describeRange(minimum: number, maximum: number): string {
  if (maximum === Infinity) return `must be ${minimum} or more`;
  return minimum === -Infinity ? `must be ${maximum} or less` : `must be from ${minimum} to ${maximum}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
