/** Finds the route of a request by method and path. */

import { ControlRefused } from "../guard/control_refused.ts";
import type { ControlRoute, RouteScope } from "./route.ts";
import { controlBase, controlPath, documentPath } from "../guard/control_paths.ts";
import { requireMethod } from "../guard/guard.ts";
import { suggestSegment } from "./suggest.ts";
import { decodePercent } from "../../ground/http/address.ts";
import { present } from "../../ground/values/present.ts";

interface FoundRoute {
  readonly route: ControlRoute;
  /** The value of the variable in the path. Empty if the path has no variable. */
  readonly id: string;
  /** The name of the tenant. Left out: the route is about the server itself. */
  readonly tenantName?: string;
}

/** `path` is the part of the path after `/_postern`. */
export function findRoute(routes: readonly ControlRoute[], method: string, path: string): FoundRoute {
  const [, tenantName, below = path] = /^\/tenants\/([^/]+)(.*)/.exec(path) ?? [];
  // Parsers of URLs leave ".." and the segment before it out: /tenants/a/people/.. becomes /tenants/a/, which is not the tenant.
  const segments = (tenantName === undefined && below === "/" ? "" : below).split("/");
  const scope: RouteScope = tenantName === undefined ? "server" : "tenant";
  const ofScope = routes.filter(({ only = scope }) => only === scope);
  const matching = ofScope.filter(({ path }) => matches(path.split("/"), segments));
  if (matching.length === 0) throw pathRefusal(ofScope, segments, tenantName);
  requireMethod(
    { method },
    matching.flatMap((each) => each.method === "GET" ? ["GET", "HEAD"] : each.method),
  );
  const route = matching.find((each) => each.method === method)!;
  const variable = route.path.split("/").findIndex(isVariable);
  return {
    route,
    id: variable === -1 ? "" : decode(segments[variable]!),
    ...present({ tenantName: tenantName === undefined ? undefined : decode(tenantName) }),
  };
}

function isVariable(segment: string): boolean {
  return segment.startsWith("{");
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length &&
    pattern.every((each, index) => isVariable(each) ? segments[index] !== "" : each === segments[index]);
}

/** Names the path that the caller probably means. Most wrong paths have the name of a method of the test kit. */
function pathRefusal(
  routes: readonly ControlRoute[],
  [, first = ""]: readonly string[],
  tenantName: string | undefined,
): ControlRefused {
  const known = new Set(routes.map(({ path }) => path.split("/")[1] ?? "").filter((each) => each !== ""));
  const suggestion = suggestSegment(first, [...known]);
  const base = controlBase(tenantName === undefined ? undefined : decode(tenantName));
  const expected = suggestion === undefined ? undefined : `${base}/${suggestion}`;
  const ending = expected !== undefined
    ? `: did you mean ${expected}?`
    : first === ""
    ? ", which ends with /, or has . or .. in the place of a name."
    : ".";
  return new ControlRefused(
    "not_found",
    `There is no call at this path${ending} ${controlPath} lists all calls for a browser, and ` +
      `${documentPath} for a program`,
    present({ expected }),
  );
}

function decode(segment: string): string {
  const decoded = decodePercent(segment);
  if (decoded !== undefined) return decoded;
  throw new ControlRefused("invalid_request", "The path has a percent sign that does not encode a character");
}
