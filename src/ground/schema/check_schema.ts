/** Checks a value against a JSON schema. A mismatch is reported with its place and the expected value. */

import { describeSchema } from "./describe_schema.ts";
import { isJsonObject, type JsonObject, placeOfMember } from "./json_object.ts";
import { describeKnown, nearest, suggestName } from "./nearest.ts";
import { describeReceived, describeType, mayBeSecret } from "./received.ts";
import { explainUnknown, type JsonType, otherNames, type Schema } from "./schema.ts";
import { present } from "../values/present.ts";
import { sayCount } from "../values/say_count.ts";

export interface SchemaProblem {
  /** The place of the mismatch, for example `clients[0].redirect_uris[1]`. Empty: the whole value. */
  readonly place: string;
  /** Follows the place in a message: `is not known: did you mean scope?`. */
  readonly problem: string;
  /** The expected value, which `problem` does not always say: `must be one of scope, resource`. */
  readonly expected: string;
  /** The received value. Absent if the value may be a secret. */
  readonly received?: string;
}

/** Returns the first mismatch. Members that are `undefined` count as left out. */
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

/** Checks the value itself, without its items and members. */
function findMismatch(value: unknown, schema: Schema): string | undefined {
  const fits = hasType(value, schema) && isAllowed(value, schema) && isInRange(value, schema);
  return fits ? findWrongLength(value, schema) : describeSchema(schema);
}

const typeTests: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  // Refuses NaN and Infinity, which JSON does not have.
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
  const { minLength = 0, maxLength = Infinity, minItems = 0, maxItems = Infinity } = schema;
  if (typeof value === "string" && value.length < minLength) {
    return minLength === 1 ? "must not be empty" : `must have ${minLength} characters or more`;
  }
  if (typeof value === "string" && value.length > maxLength && [...value].length > maxLength) {
    return `must have at most ${maxLength} characters`;
  }
  const isWrong = Array.isArray(value) && (value.length < minItems || value.length > maxItems);
  return isWrong ? describeLength(minItems, maxItems) : undefined;
}

function describeLength(minimum: number, maximum: number): string {
  const items = (count: number) => sayCount(count, "item");
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
  // Checks unknown names first, because a missing member may be present under a misspelt name.
  const unknown = others === false ? members.find(([name]) => !schemas.has(name)) : undefined;
  if (unknown !== undefined) return describeUnknownMember(unknown[0], value, schema, place);
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

function describeUnknownMember(
  name: string,
  object: JsonObject,
  schema: Schema,
  place: string,
): SchemaProblem {
  const { properties = {} } = schema;
  const known = Object.keys(properties);
  const synonym = known.find((each) => {
    const others = properties[each]?.[otherNames];
    return Array.isArray(others) && others.some((other) => isSameName(other, name));
  });
  const similar = synonym ?? nearest(name, known);
  const misplaced = findMisplaced(name, object, schema) ??
    (similar === undefined ? findInList(name, schema) : undefined);
  if (misplaced !== undefined) return { place: placeOfMember(place, name), ...misplaced };
  const explain = schema[explainUnknown];
  const problem = (typeof explain === "function" ? explain(name) : undefined) ??
    (similar === undefined ? `is not known: ${describeKnown(known)}` : suggestName(similar));
  return {
    place: placeOfMember(place, name),
    problem,
    expected: known.length === 0 ? "must be left out" : `must be one of ${known.join(", ")}`,
  };
}

/** Compares without case, underscores and hyphens: `callbackUrl` is `callback_url`. */
function isSameName(left: string, right: string): boolean {
  const simplify = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, "");
  return simplify(left) === simplify(right);
}

/** If no alternative matches, the caller probably meant the one whose type and constant members match the value. */
function checkAlternatives(value: unknown, schema: Schema, place: string): SchemaProblem | undefined {
  const { anyOf = [] } = schema;
  if (anyOf.length === 0 || anyOf.some((each) => checkSchema(value, each) === undefined)) return undefined;
  const ofType = anyOf.filter((each) => hasType(value, each));
  const matching = ofType.find((each) => hasConstants(value, each));
  if (matching !== undefined) return checkSchema(value, matching, place);
  const [tag] = ofType.flatMap(namesOfConstants);
  if (tag === undefined) return describeMismatch(value, schema, place, describeSchema(schema));
  const tagged = ofType.filter(({ properties }) => properties?.[tag]?.const !== undefined);
  const sameTag = tagged.find(({ properties }) => properties![tag]!.const === Object(value)[tag]);
  // Another constant of this alternative differs.
  if (sameTag !== undefined) return checkSchema(value, sameTag, place);
  const allowed = tagged.map(({ properties }) => `${properties![tag]!.const}`);
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
  const suggestion = typeof value === "string" ? suggestValue(value, schema) : undefined;
  if (received !== undefined && suggestion !== undefined) {
    return { place, problem: `${received} is not known: did you mean ${suggestion}?`, expected: problem };
  }
  return { place, problem, expected: problem, ...present({ received }) };
}

/** Corrects words only: algorithms and versions such as HS256 and RS256 are similar but mean different things. */
function suggestValue(value: string, { enum: allowed = [] }: Schema): string | undefined {
  return /^[a-z._-]{3,}$/i.test(value) ? nearest(value, allowed) : undefined;
}

/** Whether the schema accepts text. If not, errors hide received text, because it may be a secret in the wrong place. */
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

/** The problem contains JSON to paste: `belongs in claims: write "claims": { … }`. */
type Misplaced = Pick<SchemaProblem, "problem" | "expected">;

/** Returns `undefined` if no property of the schema has a member with this name that accepts the value. */
function findMisplaced(
  name: string,
  object: JsonObject,
  { properties = {} }: Schema,
): Misplaced | undefined {
  const [owner, { properties: inside = {} } = {}] = Object.entries(properties).find(([, schema]) => {
    const member = new Map(Object.entries(schema.properties ?? {})).get(name);
    return member !== undefined && checkSchema(object[name], member) === undefined;
  }) ?? [];
  if (owner === undefined) return undefined;
  // Lists all members with the same mistake, so that the caller can correct them together.
  const members = Object.entries(object)
    .filter(([each]) => Object.hasOwn(inside, each) && !Object.hasOwn(properties, each))
    .map(([each, value]) => `${JSON.stringify(each)}: ${formatValue(each, value)}`)
    .join(", ");
  const advice = object[owner] === undefined
    ? `write ${JSON.stringify(owner)}: { ${members} }`
    : `write ${members} there`;
  return { problem: `belongs in ${owner}: ${advice}`, expected: `must be in ${owner}` };
}

/** Returns `undefined` if not exactly one list of the schema has entries with a member of this name. */
function findInList(name: string, { properties = {} }: Schema): Misplaced | undefined {
  const lists = Object.keys(properties).filter((each) =>
    Object.hasOwn(properties[each]!.items?.properties ?? {}, name)
  );
  if (lists.length !== 1) return undefined;
  const place = `in an entry of ${lists[0]}`;
  return { problem: `belongs ${place}`, expected: `must be ${place}` };
}

const longest = 200;

/** Formats a text, a number, a boolean, or a list of these as JSON. Other values may contain secrets. */
function formatValue(name: string, value: unknown): string {
  const isPlain = [value].flat().every((each) => ["string", "number", "boolean"].includes(typeof each));
  const text = isPlain && !mayBeSecret(name) ? JSON.stringify(value) : "…";
  return text.length > longest ? "…" : text;
}
