/** Checks a value against a schema, and says where it is wrong and what would fit there. */

import { describeSchema } from "./describe_schema.ts";
import { isJsonObject, type JsonObject } from "./json_object.ts";
import { describeUnknown } from "./nearest.ts";
import { placeOfMember } from "./place.ts";
import { describeReceived, describeType } from "./received.ts";
import type { JsonType, Schema } from "./schema.ts";

export interface SchemaProblem {
  /** Where the value is wrong: `clients[0].redirect_uris[1]`. Empty: the whole value. */
  readonly place: string;
  /** Continues the place: `is not known: did you mean scope?`. */
  readonly problem: string;
  /** What would be right there, which the problem does not always say: `must be one of scope, resource`. */
  readonly expected: string;
  /** The value, where it cannot be a secret. */
  readonly received?: string;
}

/** Finds the first problem. Members that are `undefined` count as left out. */
export function checkSchema(value: unknown, schema: Schema, place = ""): SchemaProblem | undefined {
  const mismatch = findMismatch(value, schema);
  if (mismatch !== undefined) return describeMismatch(value, schema, place, mismatch);
  const inside = Array.isArray(value)
    ? checkItems(value, schema, place)
    : isJsonObject(value)
    ? checkMembers(value, schema, place)
    : undefined;
  return inside ?? checkAlternatives(value, schema, place);
}

/** Looks at the value itself, not at its items and members. */
function findMismatch(value: unknown, schema: Schema): string | undefined {
  const fits = hasType(value, schema) && isAllowed(value, schema) && isInRange(value, schema);
  return fits ? findWrongLength(value, schema) : describeSchema(schema);
}

const typeTests: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  // JSON has no NaN and no Infinity.
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function hasType(value: unknown, { type, enum: allowed }: Schema): boolean {
  if (type === undefined) return allowed === undefined || typeof value === "string";
  return [type].flat().some((each) => typeTests[each](value));
}

function isAllowed(value: unknown, { const: constant, enum: allowed, pattern }: Schema): boolean {
  if (constant !== undefined && value !== constant) return false;
  if (typeof value !== "string") return true;
  return allowed?.includes(value) !== false && (pattern === undefined || new RegExp(pattern).test(value));
}

function isInRange(value: unknown, { minimum, exclusiveMinimum, maximum }: Schema): boolean {
  if (typeof value !== "number") return true;
  return !(minimum !== undefined && value < minimum) &&
    !(exclusiveMinimum !== undefined && value <= exclusiveMinimum) &&
    !(maximum !== undefined && value > maximum);
}

function findWrongLength(value: unknown, schema: Schema): string | undefined {
  const { minLength = 0, minItems = 0, maxItems = Infinity } = schema;
  if (typeof value === "string" && value.length < minLength) {
    return minLength === 1 ? "must not be empty" : `must have ${minLength} characters or more`;
  }
  const isWrong = Array.isArray(value) && (value.length < minItems || value.length > maxItems);
  return isWrong ? describeLength(minItems, maxItems) : undefined;
}

function describeLength(minimum: number, maximum: number): string {
  const items = (count: number) => count === 1 ? "1 item" : `${count} items`;
  if (minimum === maximum) return `must have ${items(minimum)}`;
  return maximum === Infinity
    ? `must have ${items(minimum)} or more`
    : `must have from ${minimum} to ${items(maximum)}`;
}

function checkItems(
  items: readonly unknown[],
  { items: schema = {} }: Schema,
  place: string,
): SchemaProblem | undefined {
  return findFirst(items.entries(), ([index, item]) => checkSchema(item, schema, `${place}[${index}]`));
}

function checkMembers(value: JsonObject, schema: Schema, place: string): SchemaProblem | undefined {
  const { properties = {}, additionalProperties: others = true, required = [] } = schema;
  const schemas = new Map(Object.entries(properties));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Unknown names come first: a missing member may be there, misspelt.
  const unknown = others === false ? members.find(([name]) => !schemas.has(name)) : undefined;
  if (unknown !== undefined) return describeUnknownMember(unknown[0], [...schemas.keys()], place);
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) {
    const expected = describeSchema(schemas.get(missing) ?? {});
    return { place: placeOfMember(place, missing), problem: "is required", expected };
  }
  return findFirst(members, ([name, member]) => {
    const each = schemas.get(name) ?? others;
    return typeof each === "boolean" ? undefined : checkSchema(member, each, placeOfMember(place, name));
  });
}

function describeUnknownMember(name: string, known: readonly string[], place: string): SchemaProblem {
  return {
    place: placeOfMember(place, name),
    problem: describeUnknown(name, known),
    expected: known.length === 0 ? "must be left out" : `must be one of ${known.join(", ")}`,
  };
}

/** When no alternative fits, the error is about the one whose type and constant members the value has. */
function checkAlternatives(value: unknown, schema: Schema, place: string): SchemaProblem | undefined {
  const { anyOf = [] } = schema;
  if (anyOf.length === 0 || anyOf.some((each) => checkSchema(value, each) === undefined)) return undefined;
  const ofType = anyOf.filter((each) => hasType(value, each));
  const meant = ofType.find((each) => hasConstants(value, each));
  if (meant !== undefined) return checkSchema(value, meant, place);
  const [tag] = ofType.flatMap(namesOfConstants);
  if (tag === undefined) return describeMismatch(value, schema, place, describeSchema(schema));
  const allowed = ofType.map(({ properties }) => `${properties?.[tag]?.const}`);
  return checkSchema(value, { required: [tag], properties: { [tag]: { enum: allowed } } }, place);
}

function hasConstants(value: unknown, schema: Schema): boolean {
  if (schema.const !== undefined) return value === schema.const;
  return !isJsonObject(value) ||
    namesOfConstants(schema).every((name) => value[name] === schema.properties?.[name]?.const);
}

function namesOfConstants({ properties = {} }: Schema): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.const !== undefined);
}

function describeMismatch(value: unknown, schema: Schema, place: string, problem: string): SchemaProblem {
  const received = typeof value === "string" && !acceptsText(schema)
    ? describeType(value)
    : describeReceived(place, value);
  return { place, problem, expected: problem, ...(received === undefined ? {} : { received }) };
}

/** Text where another type belongs may be a secret in the wrong place. */
function acceptsText({ type, const: constant, anyOf }: Schema): boolean {
  if (type !== undefined) return [type].flat().includes("string");
  if (anyOf !== undefined) return anyOf.some(acceptsText);
  return constant === undefined || typeof constant === "string";
}

function findFirst<T>(
  all: Iterable<T>,
  check: (each: T) => SchemaProblem | undefined,
): SchemaProblem | undefined {
  for (const each of all) {
    const problem = check(each);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
