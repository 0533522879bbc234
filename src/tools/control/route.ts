/** The type of a route of the control plane. The OpenAPI document is created from the same object. */

import type { Schema } from "../../ground/schema/schema.ts";
import type { TokenOptions } from "./given_tokens.ts";
import { summaryOf } from "./kit_types.ts";
import type { SchemaOf } from "../../ground/schema/schema_of.ts";
import type { ControlledTenant, ControlledTenants } from "./controlled_tenants.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface ControlRoute {
  readonly method: Method;
  /** Below `/_postern` and below `/_postern/tenants/{tenant}`. One segment may be a variable: `{gate}`. */
  readonly path: string;
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  /** Left out: the route exists for the server and for tenants. */
  readonly only?: RouteScope;
  /** The schema of the query. Values are strings, integers and booleans. */
  readonly query?: Schema;
  readonly body?: Schema;
  /** Other names of members, from the TypeScript API and OAuth, with the members that they mean. Not documented. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The body has tokens, which callers may also send under other names. */
  readonly tokens?: TokenOptions;
  /** The response with the status 200. A route has this, or `created`, or a response with the status 204 and no body. */
  readonly answer?: Schema;
  readonly created?: Schema;
  /** The media types of the response. Default: JSON. */
  readonly types?: readonly string[];
  /** Returns the JSON of the response. A route with `types` returns a `TextReply`, and one with the status 204 nothing. */
  handle(call: Call): Reply | Promise<Reply>;
}

export type RouteScope = "server" | "tenant";

export interface Call<Body = unknown, Query = unknown> extends ControlledTenant {
  readonly tenants: ControlledTenants;
  /** The name of the tenant. Left out: the call is about the server itself. */
  readonly tenantName?: string;
  /** The value of the variable in the path. Empty if the path has no variable. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
}

export type Reply = object | void;

export interface TextReply {
  readonly text: string;
  readonly type: string;
}

/** A route without its call and its name. The types of its query and body are those that its schemas check. */
interface RouteOptions<Body, Query>
  extends Omit<ControlRoute, "method" | "path" | "name" | "summary" | "query" | "body" | "handle"> {
  /** Default: the comment of the call of the test kit with the same name. */
  readonly summary?: string;
  readonly query?: SchemaOf<Query>;
  readonly body?: SchemaOf<Body>;
  handle(call: Call<Body, Query>): Reply | Promise<Reply>;
}

/** What other APIs call a person and a client: the aliases of a route that has none of its own. */
export const usualAliases: Readonly<Record<string, string>> = {
  person: "username",
  as: "username",
  client_id: "client",
};

/** The cast is safe, because the control plane checks the query and the body before the call. */
export function route<Body = unknown, Query = unknown>(
  call: `${Method} /${string}`,
  name: string,
  options: RouteOptions<Body, Query>,
): ControlRoute {
  const [method, path] = call.split(" ");
  const { summary = summaryOf(name), query, body, aliases = usualAliases } = options;
  const members = { ...query?.properties, ...body?.properties };
  const own = Object.fromEntries(
    Object.entries(aliases).filter(([, meant]) => Object.hasOwn(members, meant)),
  );
  return { method, path: path === "/" ? "" : path, name, ...options, summary, aliases: own } as ControlRoute;
}

export function responseOf(
  { answer, created }: ControlRoute,
): { readonly status: number; readonly schema?: Schema } {
  if (created !== undefined) return { status: 201, schema: created };
  return answer === undefined ? { status: 204 } : { status: 200, schema: answer };
}
