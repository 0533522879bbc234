/** Endpoints by name: what a test asks for, what a gate holds, and what the journal sorts by. */

import type * as features from "../features/files.ts";
import { defaultFeatures } from "../features/mod.ts";
import type { Router } from "../http/router.ts";
import { assetsPath } from "../oauth/endpoints/asset_endpoints.ts";
import type { Endpoint } from "../oauth/feature.ts";
import { describeValue } from "../schema/received.ts";

/** Where a request went. `page` is the rest: pages and their files, preflights, and paths that do not exist. */
export type EndpointName =
  | NonNullable<
    NonNullable<ReturnType<typeof features[keyof typeof features]>["endpoints"]>[number]["name"]
  >
  | "page";

/** Every name that a request can have. */
export function listEndpointNames(): readonly EndpointName[] {
  const named = listEndpoints().flatMap(({ name }) => name ?? []) as EndpointName[];
  return [...new Set([...named, "page" as const])];
}

/** The first segments of the paths below an issuer. */
export function listFirstSegments(): readonly string[] {
  const paths = [...listEndpoints().map(({ path }) => path), assetsPath];
  return [...new Set(paths.map((path) => path.split("/")[1]!))];
}

function listEndpoints(): readonly Endpoint[] {
  return defaultFeatures({ firstUse: true }).flatMap((feature) => feature.endpoints ?? []);
}

export function nameEndpoint(
  { method, path }: { readonly method: string; readonly path: string },
  router: Router<Endpoint>,
): EndpointName {
  // A preflight asks whether the real request may come: it is not one itself.
  const match = method === "OPTIONS" ? undefined : router(method, path);
  const endpoint = match !== undefined && "handler" in match ? match.handler : match?.anyHandler;
  return endpoint?.name as EndpointName | undefined ?? "page";
}

/** `doing` leads to the name: "hold requests to". */
export function requireEndpoint(name: unknown, doing: string): void {
  const names = listEndpointNames();
  if (names.some((each) => each === name)) return;
  throw new TypeError(`Cannot ${doing} ${describeValue(name)}: expected one of ${names.join(", ")}`);
}
