/** What one row of the control's table is: it makes both the route and its part of the OpenAPI document. */

import type { Tenant } from "../mock/tenant.ts";
import type { Schema } from "../schema/schema.ts";
import type { Room, Rooms } from "./room.ts";

/** Where the control is: no tenant can have this name. */
export const controlPath = "/_postern";

/** Where it is for the server itself, or for a tenant. */
export function controlBase(tenantName: string | undefined): string {
  return tenantName === undefined ? controlPath : `${controlPath}/tenants/${encodeURIComponent(tenantName)}`;
}

export interface ControlRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/_postern`, and below `/_postern/tenants/{tenant}` again. */
  readonly path: string;
  /** Left out: for the server and for each tenant. */
  readonly only?: RouteScope;
  /** The `operationId`. */
  readonly name: string;
  readonly summary: string;
  readonly schema: RouteSchema;
  call(asked: Asked): Reply | Promise<Reply>;
}

export type RouteScope = "server" | "tenant";

export interface RouteSchema {
  /** Strings, whole numbers and booleans. */
  readonly query?: Schema;
  readonly body?: Schema;
  /** Members of the body under the names that TypeScript has for them: understood, too, and not documented. */
  readonly alsoCalled?: Readonly<Record<string, string>>;
  /** Left out: 204, and nothing in it. */
  readonly answer?: AnswerSchema;
}

export interface AnswerSchema {
  readonly status?: 200 | 201;
  /** Left out: JSON. */
  readonly types?: readonly string[];
  readonly schema: Schema;
}

/** A request whose parts fit their schemas. */
export interface Asked<B = unknown, Q = unknown> {
  readonly tenant: Tenant;
  readonly room: Room;
  readonly rooms: Rooms;
  /** The tenant's name; left out: the server itself. */
  readonly tenantName?: string;
  /** From the path. */
  readonly named: string;
  readonly query: Q;
  readonly body: B;
}

/** Nothing: 204. */
export type Reply = { readonly json: unknown } | { readonly text: string; readonly type: string } | void;

/** A row whose parts have types: those that its schemas check. */
export interface TypedRoute<B, Q> extends Omit<ControlRoute, "call"> {
  call(asked: Asked<B, Q>): Reply | Promise<Reply>;
}

export function route<B = unknown, Q = unknown>(typed: TypedRoute<B, Q>): ControlRoute {
  return typed as ControlRoute;
}
