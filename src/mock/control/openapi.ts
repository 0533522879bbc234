/** The OpenAPI 3.1 document of the control, made from the same rows as its routes. */

import project from "../../../deno.json" with { type: "json" };
import type { Schema } from "../../check_schema.ts";
import { controlErrors } from "./errors.ts";
import type { ControlRoute, RouteScope } from "./route.ts";
import { open, text } from "./schemas.ts";

/** As much of an OpenAPI document as is written here. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
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
  readonly schema: Schema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly content?: OpenApiContent;
}

type OpenApiContent = Readonly<Record<string, { readonly schema: Schema }>>;

/** What every answer from 400 on is. */
export const problemSchema: Schema = {
  ...open({
    error: { type: "string", enum: controlErrors },
    error_description: text,
    place: { ...text, description: "What is wrong: people[0].username, ?wait, Authorization." },
    expected: text,
    refusal: {
      ...open({ error: text, reason: text, description: text, spec: text, expected: text, received: text }, [
        "error",
        "reason",
        "description",
      ]),
      description: "What the authorization server answered, and why.",
    },
  }, ["error", "error_description"]),
};

const description =
  "Drives an authorization server from a test in any language. Everything is there once for the server " +
  "itself, and again for each of its tenants, which the first POST makes. What is refused is 400 (the request is wrong), 401 (the token), " +
  "403 (other machines, web pages), 404, 405, 413, 415, 421 (another Host), or 422 (the authorization server " +
  "said no, or could not do it).";

export function describeControl(
  table: readonly ControlRoute[],
  { base, needsToken }: { readonly base: string; readonly needsToken: boolean },
): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: { title: "Postern's test kit over HTTP", version: project.version, description },
    servers: [{ url: base }],
    security: needsToken ? [{ token: [] }] : [{}],
    paths: {
      ...gatherPaths(table, "", "server"),
      ...gatherPaths(table, "/tenants/{tenant}", "tenant"),
    },
    components: {
      responses: {
        Refused: {
          description: "Refused: which rule, and where.",
          content: { "application/json": { schema: problemSchema } },
        },
      },
      ...(needsToken ? { securitySchemes: { token: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

const refused = { "4XX": { $ref: "#/components/responses/Refused" } } as const;

/** The document describes itself, too: there is one, for the server and all its tenants. */
export function documentRoute(document: () => OpenApiDocument): ControlRoute {
  return {
    method: "GET",
    path: "/openapi.json",
    name: "showDocument",
    summary: "This document.",
    schema: { answer: { schema: open({ openapi: text }) } },
    call: () => ({ json: document() }),
  };
}

function gatherPaths(
  table: readonly ControlRoute[],
  below: string,
  tag: RouteScope,
): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const each of table) {
    if ((each.only ?? tag) !== tag) continue;
    const path = below + each.path || "/";
    (paths[path] ??= {})[each.method.toLowerCase()] = describeRoute(each, path, tag);
  }
  return paths;
}

function describeRoute(
  { name, only, summary, schema }: ControlRoute,
  path: string,
  tag: RouteScope,
): OpenApiOperation {
  const { query, body } = schema;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]): OpenApiParameter => ({
      ...{ name, in: "path", required: true },
      schema: text,
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, each]): OpenApiParameter => ({
      ...{ name, in: "query", required: query?.required?.includes(name) ?? false },
      schema: each,
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
        content: { "application/json": { schema: body } },
      },
    }),
    responses: { ...describeAnswer(schema.answer), ...refused },
  };
}

function describeAnswer(answer: ControlRoute["schema"]["answer"]): Readonly<Record<string, OpenApiResponse>> {
  if (answer === undefined) return { 204: { description: "Done." } };
  const { status = 200, types = ["application/json"], schema } = answer;
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { [status]: { description: status === 201 ? "Made." : "Done.", content } };
}
