/** The keywords of JSON Schema 2020-12 that this project uses. OpenAPI 3.1 prints the same schemas. */

export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** `Inner` is what a schema holds inside: other schemas, or in a document references to them. */
export interface SchemaKeywords<Inner> {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A list where a value may have one of several types: `["string", "null"]`. */
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  /** Of objects, constant members decide which alternative an error is about. */
  readonly anyOf?: readonly Inner[];
  readonly minLength?: number;
  /** `examples` beside it say in errors what would match. */
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Inner;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Inner>>;
  readonly additionalProperties?: boolean | Inner;
}

export interface Schema extends SchemaKeywords<Schema> {}
