/** The keywords of JSON Schema 2020-12 that this project uses. OpenAPI 3.1 prints the same schemas. */

/** The types of JSON values. An integer is a number without a fraction. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** Says which values fit, for the checker as for a document. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A list where a value may have one of several types: `["string", "null"]`. */
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  /** Of objects, constant members decide which alternative an error is about. */
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  /** `examples` beside it say in errors what would match. */
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
