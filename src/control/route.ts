/** The type of a route of the control plane. The OpenAPI document is created from the same object. */

import type { Schema } from "../schema/schema.ts";
import type { TokenTerms } from "./given_tokens.ts";
import type { ControlledTenant, ControlledTenants } from "./controlled_tenants.ts";

export interface ControlRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /**
   * The path below `/_postern` and below `/_postern/tenants/{tenant}`. One segment may be a variable, for example
   * `{gate}`.
   */
  readonly path: string;
  /** Limits the route to the server or to tenants. Left out: the route exists for both. */
  readonly only?: RouteScope;
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  readonly schema: RouteSchema;
  handle(call: Call): Reply | Promise<Reply>;
}

export type RouteScope = "server" | "tenant";

export interface RouteSchema {
  /** The schema of the query. Values are strings, integers and booleans. */
  readonly query?: Schema;
  readonly body?: Schema;
  /**
   * Aliases of members of the body and of the query, with the names of the members. They are the names of the TypeScript
   * API and of OAuth. Aliases are accepted but not documented.
   */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The body has tokens, which callers may also send under other names. */
  readonly tokens?: TokenTerms;
  /** Left out: the response has the status 204 and no body. */
  readonly answer?: AnswerSchema;
}

export interface AnswerSchema {
  /** Default: 200. */
  readonly status?: 200 | 201;
  /** The media types. Default: JSON. */
  readonly types?: readonly string[];
  readonly schema: Schema;
}

/** A call of a route. Its query and body have been checked against their schemas. */
export interface Call<Body = unknown, Query = unknown> extends ControlledTenant {
  readonly tenants: ControlledTenants;
  /** The name of the tenant. Left out: the call is about the server itself. */
  readonly tenantName?: string;
  /** The value of the variable in the path. Empty if the path has no variable. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
}

/** The result of a route: JSON, other text, or nothing, for which the status is 204. */
export type Reply = { readonly json: unknown } | { readonly text: string; readonly type: string } | void;

/** A route with the types of its query and body. Its schemas check these types. */
export interface TypedRoute<Body, Query> extends Omit<ControlRoute, "handle"> {
  handle(call: Call<Body, Query>): Reply | Promise<Reply>;
}

/** Drops the types of the query and body. The cast is safe, because the control plane checks both before the call. */
export function route<Body = unknown, Query = unknown>(typed: TypedRoute<Body, Query>): ControlRoute {
  return typed as ControlRoute;
}
