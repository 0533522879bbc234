/** Finds the route for a method and a path. */

import { ControlRefused } from "./control_refused.ts";
import type { ControlRoute, RouteScope } from "./route.ts";

export interface FoundRoute {
  readonly route: ControlRoute;
  /** The variable in the path. Empty where the path has none. */
  readonly id: string;
  /** Left out: the server itself. */
  readonly tenantName?: string;
}

/** `path` is the part below the control plane's own. */
export function findRoute(routes: readonly ControlRoute[], method: string, path: string): FoundRoute {
  const [, tenantName, below = path] = /^\/tenants\/([^/]+)(.*)$/.exec(path) ?? [];
  const segments = below.replace(/^\/$/, "").split("/");
  const scope: RouteScope = tenantName === undefined ? "server" : "tenant";
  const here = routes.filter(({ path, only = scope }) =>
    only === scope && matches(path.split("/"), segments)
  );
  if (here.length === 0) {
    const message = "There is no operation at this address: /_postern/openapi.json lists all";
    throw new ControlRefused("not_found", message);
  }
  const route = here.find((each) => each.method === method);
  if (route === undefined) throw methodRefusal(here);
  const variable = route.path.split("/").findIndex(isVariable);
  return {
    route,
    id: variable === -1 ? "" : decode(segments[variable]!),
    ...(tenantName === undefined ? {} : { tenantName: decode(tenantName) }),
  };
}

function isVariable(segment: string): boolean {
  return segment.startsWith("{");
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length &&
    pattern.every((each, index) => isVariable(each) ? segments[index] !== "" : each === segments[index]);
}

function methodRefusal(here: readonly ControlRoute[]): ControlRefused {
  const allow = here.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]).join(", ");
  return new ControlRefused("method_not_allowed", `This address takes ${allow}`, {
    expected: allow,
    headers: { allow },
  });
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlRefused("invalid_request", "The address has a percent sign that encodes nothing");
  }
}
