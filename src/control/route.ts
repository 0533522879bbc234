/** A route of the control plane: its row makes both the route and its part of the OpenAPI document. */

import type { Schema } from "../schema/schema.ts";
import type { ControlledTenant, ControlledTenants } from "./controlled_tenants.ts";

/** Where the control plane is. No tenant can have this name. */
export const controlPath = "/_postern";

/** The path of the control plane for a tenant. `undefined`: for the server itself. */
export function controlBase(tenantName: string | undefined): string {
  return tenantName === undefined ? controlPath : `${controlPath}/tenants/${encodeURIComponent(tenantName)}`;
}

export interface ControlRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/_postern`, and again below `/_postern/tenants/{tenant}`. One segment may be a variable: `{gate}`. */
  readonly path: string;
  /** Left out: for the server and for each tenant. */
  readonly only?: RouteScope;
  /** The `operationId`. */
  readonly name: string;
  readonly summary: string;
  readonly schema: RouteSchema;
  handle(call: Call): Reply | Promise<Reply>;
}

export type RouteScope = "server" | "tenant";

export interface RouteSchema {
  /** Strings, integers and booleans. */
  readonly query?: Schema;
  readonly body?: Schema;
  /** Members of the body under their names in TypeScript. They are accepted as well, and not documented. */
  readonly alsoCalled?: Readonly<Record<string, string>>;
  /** Left out: 204 without a body. */
  readonly answer?: AnswerSchema;
}

export interface AnswerSchema {
  readonly status?: 200 | 201;
  /** Left out: JSON. */
  readonly types?: readonly string[];
  readonly schema: Schema;
}

/** A call of a route, whose query and body fit their schemas. */
export interface Call<Body = unknown, Query = unknown> extends ControlledTenant {
  readonly tenants: ControlledTenants;
  /** Left out: the call is about the server itself. */
  readonly tenantName?: string;
  /** The variable in the path. Empty where the path has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
}

/** Nothing: 204. */
export type Reply = { readonly json: unknown } | { readonly text: string; readonly type: string } | void;

/** A route with the types of its query and body, which its schemas check. */
export interface TypedRoute<Body, Query> extends Omit<ControlRoute, "handle"> {
  handle(call: Call<Body, Query>): Reply | Promise<Reply>;
}

export function route<Body = unknown, Query = unknown>(typed: TypedRoute<Body, Query>): ControlRoute {
  return typed as ControlRoute;
}
