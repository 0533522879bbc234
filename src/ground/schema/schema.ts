/** The type of a JSON schema. It has the keywords of JSON Schema 2020-12 and OpenAPI 3.1 that this project uses. */

/** The types of JSON values. `integer` is a number without a fraction. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** Other names that people use, for errors. A symbol, because published schemas have standard keywords only. */
export const otherNames: unique symbol = Symbol("otherNames");

/** Returns for an error why an object must not have this property now, although another configuration has it. */
export const explainUnknown: unique symbol = Symbol("explainUnknown");

/** A JSON schema, for checking values and for documents. */
export interface Schema {
  /** `otherNames` and `explainUnknown`, for errors. Documents do not contain them, because JSON has no symbols. */
  readonly [forErrors: symbol]: readonly string[] | ((name: string) => string | undefined) | undefined;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** One type, or a list of alternatives such as `["string", "null"]`. */
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  /** Alternatives. If no alternative matches, the error is about the alternative whose constant members match. */
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression. Errors show `examples` instead of the pattern, if the schema has examples. */
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

/** Text that is not empty, and a list of such texts. */
export const text: Schema = { type: "string", minLength: 1 };
export const texts: Schema = { type: "array", items: text };
