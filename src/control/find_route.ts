/** From method and path to a row of the control's table, and to what is named in the path. */

import { ControlRefused } from "./errors.ts";
import type { RouteScope } from "./route.ts";

export interface Found<Row> {
  readonly route: Row;
  /** What stands in the path for `{…}`; empty where nothing does. */
  readonly named: string;
  /** Left out: the server itself. */
  readonly tenant?: string;
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly only?: RouteScope;
}

/** A path below the control's, without its base. Throws where there is nothing, and where the method is another. */
export function findRoute<Row extends Place>(
  table: readonly Row[],
  method: string,
  path: string,
): Found<Row> {
  const [, tenant, below] = /^\/tenants\/([^/]+)(.*)$/.exec(path) ?? [];
  const within = (below ?? path).replace(/^\/$/, "");
  const segments = within.split("/");
  const scope: RouteScope = tenant === undefined ? "server" : "tenant";
  const here = table.filter(({ path, only = scope }) => only === scope && matches(path.split("/"), segments));
  if (here.length === 0) {
    throw new ControlRefused(
      "not_found",
      "There is nothing at this address: /_postern/openapi.json lists what is",
    );
  }
  const route = here.find((row) => row.method === method);
  if (route === undefined) {
    const allow = here.flatMap((row) => row.method === "GET" ? ["GET", "HEAD"] : [row.method]).join(", ");
    throw new ControlRefused("method_not_allowed", `This address takes ${allow}`, {
      expected: allow,
      headers: { allow },
    });
  }
  const place = route.path.split("/").findIndex((segment) => segment.startsWith("{"));
  return {
    route,
    named: place === -1 ? "" : decode(segments[place]!),
    ...(tenant === undefined ? {} : { tenant: decode(tenant) }),
  };
}

function matches(row: readonly string[], segments: readonly string[]): boolean {
  return row.length === segments.length &&
    row.every((segment, index) =>
      segment.startsWith("{") ? segments[index] !== "" : segment === segments[index]
    );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlRefused("invalid_request", "The address holds a percent sign that encodes nothing");
  }
}
