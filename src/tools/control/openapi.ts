/** Creates the OpenAPI 3.1 document of the control plane from its routes. */

import project from "../../../deno.json" with { type: "json" };
import type { Schema } from "../../ground/schema/schema.ts";
import { present } from "../../ground/values/present.ts";
import { controlErrors } from "../guard/control_refused.ts";
import { namedSchemas } from "./named_schemas.ts";
import { refusal } from "./recorded_request_schema.ts";
import { type ControlRoute, responseOf, route, type RouteScope } from "./route.ts";
import { openObject, text } from "../../ground/schema/schema_of.ts";

/** The parts of an OpenAPI document that the control plane uses. */
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

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse | { readonly $ref: string }>>;
}

interface OpenApiParameter {
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

interface OpenApiSchema extends Omit<Schema, "anyOf" | "items" | "properties" | "additionalProperties"> {
  readonly $ref?: string;
  readonly anyOf?: readonly OpenApiSchema[];
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: boolean | OpenApiSchema;
}

export const problemSchema: Schema = openObject({
  error: { type: "string", enum: controlErrors },
  error_description: text(),
  place: text("The place of the mistake, for example redirect_uris[0], ?wait or Authorization."),
  expected: text(),
  refusal,
}, { required: ["error", "error_description"] });

const description =
  "Controls an authorization server from a test in any language. Every operation exists for the server itself " +
  "and for each of its tenants. The first POST to a tenant creates it. Refusals are 400 (wrong request), " +
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
          description:
            "The request was refused. The body has the reason, and the place of the mistake if there is one.",
          content: { "application/json": { schema: describeSchema(problemSchema, names) } },
        },
      },
      ...present({ securitySchemes: needsToken ? { token: { type: "http", scheme: "bearer" } } : undefined }),
    },
  };
}

/** The keys are compared by identity, so a copy of a schema has no name. */
type Names = ReadonlyMap<Schema, string>;

/** Names the schemas, because code generators create one type per name, and a type per use of an unnamed schema. */
function nameSchemas(table: readonly ControlRoute[]): Names {
  const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));
  names.set(problemSchema, "Problem");
  for (const route of table) {
    const { name, body } = route;
    const call = name.charAt(0).toUpperCase() + name.slice(1);
    for (const [schema, suffix] of [[body, "Body"], [responseOf(route).schema, "Answer"]] as const) {
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
    ...present({
      properties: properties &&
        Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, describe(each)])),
      additionalProperties: typeof others === "object" ? describe(others) : others,
      items: items && describe(items),
      anyOf: anyOf?.map(describe),
    }),
  };
}

const refused = { "4XX": { $ref: "#/components/responses/Refused" } } as const;

/** The document also describes its own route. */
export function createDocumentRoute(document: () => OpenApiDocument): ControlRoute {
  return route("GET /openapi.json", "showDocument", {
    summary: "Returns this document.",
    answer: openObject({ openapi: text() }),
    handle: () => document(),
  });
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

function describeRoute(route: ControlRoute, path: string, tag: RouteScope, names: Names): OpenApiOperation {
  const { name, only, summary, query, body } = route;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]): OpenApiParameter => ({
      name,
      in: "path",
      required: true,
      schema: text(),
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, each]): OpenApiParameter => ({
      name,
      in: "query",
      required: query?.required?.includes(name) ?? false,
      schema: describeSchema(each, names),
    })),
  ];
  return {
    operationId: tag === "server" || only === "tenant" ? name : `${name}OfTenant`,
    summary,
    tags: [tag],
    ...present({
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: body && {
        required: (body.required ?? []).length > 0,
        content: { "application/json": { schema: describeSchema(body, names) } },
      },
    }),
    responses: { ...describeAnswer(route, names), ...refused },
  };
}

function describeAnswer(route: ControlRoute, names: Names): Readonly<Record<string, OpenApiResponse>> {
  const { status, schema } = responseOf(route);
  if (schema === undefined) return { [status]: { description: "Done." } };
  const { types = ["application/json"] } = route;
  const content = Object.fromEntries(types.map((type) => [type, { schema: describeSchema(schema, names) }]));
  return { [status]: { description: status === 201 ? "Created." : "Done.", content } };
}
