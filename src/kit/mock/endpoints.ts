/** The names of endpoints, which gates, the journal and tests use. */

import type * as features from "../../server/features/mod.ts";
import { defaultFeatures, everyFeature } from "../../server/features/mod.ts";
import type { Router } from "../../ground/http/router.ts";
import type { Endpoint } from "../../server/oauth/contracts/feature.ts";
import { requireOneOf } from "./terms/wrong_term.ts";

/**
 * The endpoint of a request. `page` means pages, preflights and unknown paths. Requests that only load a page or a file of
 * one are not recorded.
 */
export type EndpointName =
  // What the module of the features exports besides them creates no feature.
  | (typeof features[keyof typeof features] extends infer Create ? Create extends (...terms: never[]) => {
      readonly spec: string;
      readonly endpoints?: readonly { readonly name?: infer Name }[];
    } ? unknown extends Name ? never : Exclude<Name, undefined>
    : never
    : never)
  | "page";

/** The endpoints with forms for people, in which a person may type a password into any field. */
export const formEndpoints: ReadonlySet<EndpointName> = new Set([
  "sign_in",
  "sign_up",
  "account",
  "second_factor",
  "consent",
  "logout",
]);

let names: readonly EndpointName[] | undefined;

/** Returns every endpoint name. They are found once, because all features are made for it. */
export function listEndpointNames(): readonly EndpointName[] {
  return names ??= findEndpointNames();
}

function findEndpointNames(): readonly EndpointName[] {
  const endpoints = defaultFeatures(everyFeature).flatMap((feature) => feature.endpoints ?? []);
  const named = endpoints.flatMap(({ name }) => name ?? []) as EndpointName[];
  return Object.freeze([...new Set([...named, "page" as const])]);
}

export function nameEndpoint(
  { method, path }: { readonly method: string; readonly path: string },
  router: Router<Endpoint>,
): EndpointName {
  // A preflight is not a request to the endpoint.
  const match = method === "OPTIONS" ? undefined : router(method, path);
  const endpoint = match !== undefined && "handler" in match ? match.handler : match?.anyHandler;
  return endpoint?.name as EndpointName | undefined ?? "page";
}

/** `doing` is a part of the message: "hold requests to". */
export function requireEndpoint(name: unknown, doing: string): void {
  requireOneOf(doing, name, listEndpointNames());
}
