/** The option `authorizationDetails`: the types of authorization details (RFC 9396 §2), checked at start. */

import { uriTexts } from "../../oauth/clients/metadata/metadata_texts.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import { attempt } from "../../../ground/values/attempt.ts";
import { present } from "../../../ground/values/present.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject, placeOfMember, splitPlace } from "../../../ground/schema/json_object.ts";
import { type JsonType, type Schema, text, texts } from "../../../ground/schema/schema.ts";
import type { AuthorizationDetail } from "./detail.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/** The option of rich authorization requests. */
export interface AuthorizationDetailsOptions {
  /**
   * The types of `authorization_details` that clients may request (RFC 9396), by name. Left out: the server does not know
   * the parameter.
   */
  readonly authorizationDetails?: Readonly<Record<string, AuthorizationDetailsType>>;
}

/** One type of authorization details. */
export interface AuthorizationDetailsType {
  /**
   * The JSON schema of the objects. An object has only the `properties` of its schema, unless `additionalProperties`
   * says otherwise. `locations`, `actions`, `datatypes`, `identifier` and `privileges` are allowed if the schema names
   * them, and have the types of RFC 9396 §2.2.
   */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The heading of an object on the consent page: a text, or an object with the texts `en` and, if you like, `de`. */
  readonly title: AuthorizationDetailsText;
  /** The sentence about an object on the consent page, likewise, with its values: `Pay {amount.value} to {creditor}`. */
  readonly summary: AuthorizationDetailsText;
  /**
   * Whether an object of a token request asks for no more than a granted one. Default: whether both are equal. Each
   * object of the request needs a granted one of its own.
   * A configuration file cannot have it.
   */
  readonly compare?: (requested: AuthorizationDetail, granted: AuthorizationDetail) => boolean;
}

/** A text in one language, or in several. */
export type AuthorizationDetailsText = string | {
  /** The text in English. */
  readonly en: string;
  /** The text in German. */
  readonly de?: string;
};

interface DetailType extends Omit<AuthorizationDetailsType, "schema"> {
  readonly schema: Schema;
}

/** The types that a client may request (RFC 9396 §10). */
export const detailTypesMember: ClientMember<readonly string[]> = {
  name: "authorization_details_types",
  schema: uriTexts,
};

const textSchema: Schema = {
  anyOf: [text, closedObject({ en: text, de: text }, { required: ["en"] })],
};

export const detailTypes: Setting<
  NonNullable<AuthorizationDetailsOptions["authorizationDetails"]>,
  ReadonlyMap<string, DetailType>
> = {
  name: "authorizationDetails",
  schema: {
    type: "object",
    additionalProperties: closedObject({
      schema: { type: "object" },
      title: textSchema,
      summary: textSchema,
      compare: {},
    }, { required: ["schema", "title", "summary"] }),
  },
  read: (option = {}) => new Map(Object.entries(option).map(([name, type]) => [name, readType(name, type)])),
};

function readType(name: string, type: AuthorizationDetailsType): DetailType {
  const { title, summary, compare } = type;
  const place = placeOfMember(detailTypes.name, name);
  if (compare !== undefined && typeof compare !== "function") {
    refuseOption(`${place}.compare`, "must be a function");
  }
  const own = readSchema(type.schema, `${place}.schema`);
  const schema = { ...own, properties: { ...own.properties, type: { const: name } } };
  for (const [member, texts] of Object.entries({ title, summary })) {
    const byLanguage = typeof texts === "string" ? { "": texts } : texts;
    for (const [language, each] of Object.entries(byLanguage)) {
      requirePlaceholders(each, schema, `${place}.${member}${language && `.${language}`}`);
    }
  }
  return { schema, title, summary, ...present({ compare }) };
}

/** Lets the object have a type. Without `properties`, its alternatives say which members there are. */
function withType(schema: Schema): Schema {
  const { properties, anyOf } = schema;
  return properties === undefined && anyOf !== undefined
    ? { ...schema, anyOf: anyOf.map(withType) }
    : { ...schema, properties: { ...properties, type: {} } };
}

/** The members of all types (RFC 9396 §2.2). Others have no number that a program may read as the next one (RFC 8259 §6). */
export const commonMembers: Schema = {
  type: "object",
  properties: { locations: texts, actions: texts, datatypes: texts, identifier: text, privileges: texts },
  additionalProperties: describeExactNumbers(),
};

/** The schema contains itself. */
function describeExactNumbers(): Schema {
  const most = Number.MAX_SAFE_INTEGER;
  const schema: { -readonly [Name in keyof Schema]: Schema[Name] } = { minimum: -most, maximum: most };
  schema.items = schema;
  schema.additionalProperties = schema;
  return schema;
}

const jsonTypes: readonly JsonType[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

const number: Schema = { type: "number" };
const count: Schema = { type: "integer", minimum: 0 };
const jsonType: Schema = { type: "string", enum: jsonTypes };

/** Describes the schemas that `checkSchema` can check. It contains itself, so no document can have it. */
function describeSchemas(): Schema {
  const properties: Record<string, Schema> = {
    ...{ $schema: text, title: text, description: text, examples: { type: "array" } },
    type: { anyOf: [jsonType, { type: "array", items: jsonType }] },
    const: { type: ["string", "number", "boolean"] },
    enum: { type: "array", items: { type: "string" } },
    ...{ pattern: text, minLength: count, minItems: count, maxItems: count },
    ...{ minimum: number, maximum: number, exclusiveMinimum: number },
    required: texts,
  };
  const schema: Schema = closedObject(properties);
  properties["items"] = schema;
  properties["anyOf"] = { type: "array", items: schema };
  properties["properties"] = { type: "object", additionalProperties: schema };
  properties["additionalProperties"] = { anyOf: [{ type: "boolean" }, schema] };
  return schema;
}

function readSchema(value: unknown, place: string): Schema {
  const problem = checkSchema(value, describeSchemas(), place);
  if (problem !== undefined) refuseOption(problem.place, problem.problem, problem.received);
  const { type = "object", ...schema } = value as Schema;
  if (type !== "object") refuseOption(`${place}.type`, "must be object");
  return closeSchema({ ...withType(schema), type }, place);
}

/** An alternative beside `properties` only adds conditions, so it stays open. */
function closeSchema(schema: Schema, place: string, staysOpen = false): Schema {
  const { type, pattern, properties, required, additionalProperties: others, items, anyOf } = schema;
  if (pattern !== undefined && !isPattern(pattern)) {
    refuseOption(`${place}.pattern`, "must be a regular expression");
  }
  const isObject = properties !== undefined ||
    anyOf === undefined && (required !== undefined || [type].flat().includes("object"));
  const isClosed = others === false || others === undefined && isObject && !staysOpen;
  const unknown = isClosed ? required?.find((name) => !Object.hasOwn(properties ?? {}, name)) : undefined;
  if (unknown !== undefined) {
    refuseOption(`${place}.required`, `must name members that properties has: ${unknown} is not one`);
  }
  const closeMember = ([name, each]: readonly [string, Schema]) =>
    [name, closeSchema(each, placeOfMember(`${place}.properties`, name))] as const;
  return {
    ...schema,
    ...present({
      properties: properties && Object.fromEntries(Object.entries(properties).map(closeMember)),
      additionalProperties: isJsonObject(others)
        ? closeSchema(others, `${place}.additionalProperties`)
        : isClosed
        ? false
        : others,
      items: items && closeSchema(items, `${place}.items`),
      anyOf: anyOf?.map((each, at) => closeSchema(each, `${place}.anyOf[${at}]`, properties !== undefined)),
    }),
  };
}

function isPattern(text: string): boolean {
  return attempt(() => new RegExp(text)) !== undefined;
}

/** A value of the object in a text: `{amount.value}`. */
export const placeholder: RegExp = /\{([^{}]*)\}/g;

function requirePlaceholders(text: string, schema: Schema, place: string): void {
  for (const [found, path = ""] of text.matchAll(placeholder)) {
    if (path === "" || !knowsPlace(schema, splitPlace(path))) {
      refuseOption(place, `must name members that the schema has: ${found} is not one`);
    }
  }
}

function knowsPlace(schema: Schema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const { properties = {}, additionalProperties: others = false, items, anyOf = [] } = schema;
  const next = Object.hasOwn(properties, name) ? properties[name]! : /^\d+$/.test(name) ? items : undefined;
  return next !== undefined
    ? knowsPlace(next, rest)
    : others === true || isJsonObject(others) && knowsPlace(others, rest) ||
      anyOf.some((each) => knowsPlace(each, [name, ...rest]));
}
