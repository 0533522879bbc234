/** Describes the calls of the control plane for its page, from the same routes as the OpenAPI document. */

import { writeCall } from "../../server/client/write_request.ts";
import type { CallGroup, CallMember, CallSummary } from "./page/calls_page.tsx";
import { describeSchema } from "../../ground/schema/describe_schema.ts";
import { isJsonObject } from "../../ground/schema/json_object.ts";
import { type Schema, text } from "../../ground/schema/schema.ts";
import { controlTokenVariable } from "../guard/control_token.ts";
import { type ControlRoute, responseOf } from "./route.ts";
import { routeGroups, routesOf } from "./routes.ts";
import { present } from "../../ground/values/present.ts";

interface CallOptions {
  readonly url: string;
  readonly needsToken: boolean;
}

export function describeCalls(options: CallOptions): readonly CallGroup[] {
  return routeGroups.map((group) => ({
    heading: group.heading,
    calls: routesOf(group).map((route) => describeCall(route, options)),
  }));
}

function describeCall(route: ControlRoute, options: CallOptions): CallSummary {
  const { method, name, summary, only } = route;
  const fields = fieldsOf(route);
  return {
    name,
    method,
    summary,
    path: fullPath(route),
    ...present({ only }),
    members: {
      path: describeMembers(fields.path, Object.keys(fields.path)),
      query: describeMembers(fields.query, route.query?.required),
      body: describeMembers(fields.body, route.body?.required),
    },
    answer: describeAnswer(route),
    example: writeExample(route, options),
  };
}

/** The path below `/_postern`. */
export function fullPath({ path, only }: ControlRoute): string {
  return only === "tenant" ? `/tenants/{tenant}${path}` : path;
}

/** What a form has for the parts of a call, without the secrets of people and clients. */
export function fieldsOf(route: ControlRoute): Readonly<Record<keyof CallSummary["members"], Properties>> {
  const { raw: _raw, ...query } = route.query?.properties ?? {};
  const path = [...fullPath(route).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, text]);
  return { path: Object.fromEntries(path), query, body: route.body?.properties ?? {} };
}

type Properties = NonNullable<Schema["properties"]>;

function describeMembers(properties: Properties, required: readonly string[] = []): readonly CallMember[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    // As in the errors.
    values: describeSchema(schema).replace(/^must (be )?/, ""),
    input: inputOf(schema),
    required: required.includes(name),
    ...present({ description: schema.description }),
  }));
}

function inputOf({ enum: values, type }: Schema): CallMember["input"] {
  if (type === "object" || type === "array") return "json";
  return values ?? (type === "boolean" ? ["true", "false"] : "text");
}

function describeAnswer(route: ControlRoute): CallSummary["answer"] {
  const { status, schema } = responseOf(route);
  return { status, members: Object.keys(schema?.properties ?? {}) };
}

/** Example values of the variables in paths. Any other variable is the id that the server gives first: `gate-1`. */
const exampleNames: Readonly<Record<string, string>> = { username: "alice", client_id: "demo" };

function writeExample(
  { method, path, only, query, body }: ControlRoute,
  { url, needsToken }: CallOptions,
): string {
  const base = only === "tenant" ? `${url}/tenants/acme` : url;
  const below = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleNames[name] ?? `${name}-1`);
  const example = query?.examples?.[0];
  const search = isJsonObject(example) ? `?${new URLSearchParams(example as Record<string, string>)}` : "";
  return writeCall({
    method,
    url: base + below + search,
    json: body?.examples?.[0],
    tokenVariable: needsToken ? controlTokenVariable : undefined,
  });
}
