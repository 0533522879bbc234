/** The OpenAPI 3.1 document of the control plane, made from the same rows as its routes. */

import project from "../../deno.json" with { type: "json" };
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { controlErrors } from "./control_refused.ts";
import { namedSchemas } from "./named_schemas.ts";
import { refusal } from "./recorded_request_schema.ts";
import type { ControlRoute, RouteScope } from "./route.ts";
import { open } from "./schemas.ts";

/** The part of an OpenAPI document that is written here. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes?: Readonly<Record<string, unknown>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: OpenApiSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly content?: OpenApiContent;
}

type OpenApiContent = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;

/** A schema, or a reference to one among the components. */
export interface OpenApiSchema
  extends Omit<Schema, "anyOf" | "items" | "properties" | "additionalProperties"> {
  readonly $ref?: string;
  readonly anyOf?: readonly OpenApiSchema[];
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: boolean | OpenApiSchema;
}

/** Every answer from 400 on. */
export const problemSchema: Schema = {
  ...open({
    error: { type: "string", enum: controlErrors },
    error_description: text,
    place: { ...text, description: "The place of the mistake: redirect_uris[0], ?wait, Authorization." },
    expected: text,
    refusal,
  }, ["error", "error_description"]),
};

const description =
  "Drives an authorization server from a test in any language. Every operation exists for the server itself, " +
  "and again for each of its tenants. The first POST makes a tenant. Refusals are 400 (wrong request), " +
  "401 (token), 403 (other machines, web pages), 404, 405, 413, 415, 421 (another Host), and 422 (the " +
  "authorization server refused, or failed).";

export function describeControl(
  table: readonly ControlRoute[],
  { base, needsToken }: { readonly base: string; readonly needsToken: boolean },
): OpenApiDocument {
  const names = nameSchemas(table);
  return {
    openapi: "3.1.0",
    info: { title: "Postern's test kit over HTTP", version: project.version, description },
    servers: [{ url: base }],
    security: needsToken ? [{ token: [] }] : [{}],
    paths: {
      ...gatherPaths(table, "", "server", names),
      ...gatherPaths(table, "/tenants/{tenant}", "tenant", names),
    },
    components: {
      schemas: Object.fromEntries([...names].map(([schema, name]) => [name, describeInside(schema, names)])),
      responses: {
        Refused: {
          description: "Refused, with the rule and the place.",
          content: { "application/json": { schema: describeSchema(problemSchema, names) } },
        },
      },
      ...(needsToken ? { securitySchemes: { token: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

/** By identity: a copy of a schema is another schema. */
type Names = ReadonlyMap<Schema, string>;

/** Code generators make one type of each named schema, and one for each occurrence of a schema without a name. */
function nameSchemas(table: readonly ControlRoute[]): Names {
  const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));
  names.set(problemSchema, "Problem");
  for (const { name, schema: { body, answer } } of table) {
    const call = name.charAt(0).toUpperCase() + name.slice(1);
    for (const [schema, suffix] of [[body, "Body"], [answer?.schema, "Answer"]] as const) {
      if (schema?.properties !== undefined && !names.has(schema)) names.set(schema, call + suffix);
    }
  }
  return names;
}

function describeSchema(schema: Schema, names: Names): OpenApiSchema {
  const name = names.get(schema);
  return name === undefined ? describeInside(schema, names) : { $ref: `#/components/schemas/${name}` };
}

function describeInside(schema: Schema, names: Names): OpenApiSchema {
  const { properties, additionalProperties: others, items, anyOf, ...rest } = schema;
  const describe = (each: Schema) => describeSchema(each, names);
  return {
    ...rest,
    ...(properties === undefined ? {} : {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, describe(each)]),
      ),
    }),
    ...(others === undefined
      ? {}
      : { additionalProperties: typeof others === "boolean" ? others : describe(others) }),
    ...(items === undefined ? {} : { items: describe(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(describe) }),
  };
}

const refused = { "4XX": { $ref: "#/components/responses/Refused" } } as const;

/** The document describes its own route, too. */
export function documentRoute(document: () => OpenApiDocument): ControlRoute {
  return {
    method: "GET",
    path: "/openapi.json",
    name: "showDocument",
    summary: "This document.",
    schema: { answer: { schema: open({ openapi: text }) } },
    handle: () => ({ json: document() }),
  };
}

function gatherPaths(
  table: readonly ControlRoute[],
  below: string,
  tag: RouteScope,
  names: Names,
): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const each of table) {
    if ((each.only ?? tag) !== tag) continue;
    const path = below + each.path || "/";
    (paths[path] ??= {})[each.method.toLowerCase()] = describeRoute(each, path, tag, names);
  }
  return paths;
}

function describeRoute(
  { name, only, summary, schema }: ControlRoute,
  path: string,
  tag: RouteScope,
  names: Names,
): OpenApiOperation {
  const { query, body } = schema;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]): OpenApiParameter => ({
      ...{ name, in: "path", required: true },
      schema: text,
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, each]): OpenApiParameter => ({
      ...{ name, in: "query", required: query?.required?.includes(name) ?? false },
      schema: describeSchema(each, names),
    })),
  ];
  return {
    operationId: tag === "server" || only === "tenant" ? name : `${name}OfTenant`,
    summary,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : {
      requestBody: {
        required: (body.required ?? []).length > 0,
        content: { "application/json": { schema: describeSchema(body, names) } },
      },
    }),
    responses: { ...describeAnswer(schema.answer, names), ...refused },
  };
}

function describeAnswer(
  answer: ControlRoute["schema"]["answer"],
  names: Names,
): Readonly<Record<string, OpenApiResponse>> {
  if (answer === undefined) return { 204: { description: "Done." } };
  const { status = 200, types = ["application/json"], schema } = answer;
  const content = Object.fromEntries(types.map((type) => [type, { schema: describeSchema(schema, names) }]));
  return { [status]: { description: status === 201 ? "Created." : "Done.", content } };
}
