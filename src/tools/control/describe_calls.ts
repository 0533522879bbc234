/** Describes the calls of the control plane for its page, from the same routes as the OpenAPI document. */

import { writeCall } from "../../server/client/write_request.ts";
import type { CallGroup, CallMember, CallSummary, ValueType } from "./page/calls_page.tsx";
import { isJsonObject } from "../../server/schema/json_object.ts";
import type { Schema } from "../../server/schema/schema.ts";
import { controlTokenVariable } from "../guard/control_token.ts";
import { type ControlRoute, responseOf } from "./route.ts";
import { routeGroups, routesOf } from "./routes.ts";
import { present } from "../../server/values/present.ts";

interface CallOptions {
  readonly url: string;
  readonly needsToken: boolean;
}

export function describeCalls(options: CallOptions): readonly CallGroup[] {
  return routeGroups.map((group) => ({
    name: group.name,
    heading: group.heading,
    calls: routesOf(group).map((route) => describeCall(route, options)),
  }));
}

function describeCall(route: ControlRoute, options: CallOptions): CallSummary {
  const { method, path, name, summary, only, query, body } = route;
  return {
    name,
    method,
    summary,
    path: only === "tenant" ? `/tenants/NAME${path}` : path,
    ...present({ only }),
    query: describeMembers(query),
    body: describeMembers(body),
    answer: describeAnswer(route),
    example: writeExample(route, options),
  };
}

function describeMembers({ properties = {}, required = [] }: Schema = {}): readonly CallMember[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    types: listTypes(schema),
    required: required.includes(name),
    ...present({ description: schema.description }),
  }));
}

function listTypes({ const: constant, enum: allowed, anyOf, type, items }: Schema): readonly ValueType[] {
  if (constant !== undefined) return [{ kind: "values", values: [`${constant}`] }];
  if (allowed !== undefined) return [{ kind: "values", values: allowed.map(String) }];
  if (anyOf !== undefined) {
    const types = anyOf.flatMap(listTypes).map((each) => [JSON.stringify(each), each] as const);
    return [...new Map(types).values()];
  }
  if (type === "array" && typeof items?.type === "string") return [{ kind: "list", type: items.type }];
  return [type ?? []].flat().map((each) => ({ kind: "one", type: each }));
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
