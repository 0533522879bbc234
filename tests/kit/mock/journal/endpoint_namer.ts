/** Creates a function that names the endpoint of a request, as a mock does. */

import { defaultFeatures, everyFeature } from "../../../../src/server/features/mod.ts";
import { type EndpointName, nameEndpoint } from "../../../../src/kit/mock/endpoints.ts";
import { createEndpointRouter } from "../../../../src/server/pipeline/endpoint_router.ts";

export type NameEndpoint = (request: { readonly method: string; readonly path: string }) => EndpointName;

export function createEndpointNamer(basePath = ""): NameEndpoint {
  const endpoints = defaultFeatures(everyFeature).flatMap((feature) => feature.endpoints ?? []);
  const router = createEndpointRouter(endpoints, { basePath });
  return (request) => nameEndpoint(request, router);
}
