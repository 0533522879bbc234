/** Endpoints by name: what a test asks for, what a gate holds, and what the journal sorts by. */

import type * as features from "../features/files.ts";
import { defaultFeatures } from "../features/mod.ts";
import type { Router } from "../http/router.ts";
import type { Endpoint } from "../oauth/feature.ts";
import { describeValue } from "../schema/received.ts";

/** Where a request went. `page` is the rest: pages and their files, preflights, and paths that do not exist. */
export type EndpointName =
  | NonNullable<
    NonNullable<ReturnType<typeof features[keyof typeof features]>["endpoints"]>[number]["name"]
  >
  | "page";

const endpoints = defaultFeatures({ firstUse: true }).flatMap((feature) => feature.endpoints ?? []);

/** Every name that a request can have. */
export const endpointNames: readonly EndpointName[] = [
  ...new Set([...endpoints.flatMap(({ name }) => name ?? []) as EndpointName[], "page" as const]),
];

/** The first segments of the paths below an issuer. */
export const firstSegments: ReadonlySet<string> = new Set(
  [...endpoints.map(({ path }) => path.split("/")[1]!), "static"],
);

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
  if (endpointNames.some((each) => each === name)) return;
  throw new TypeError(
    `Cannot ${doing} ${describeValue(name)}: expected one of ${endpointNames.join(", ")}`,
  );
}
