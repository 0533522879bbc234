/** A small protected API beside the server, which says who calls it: to try access tokens (RFC 6750, RFC 9728). */

import type { Feature } from "../../oauth/feature.ts";
import type { FeatureTerms } from "../../oauth/feature_terms.ts";
import { protectedResourcePath } from "../../oauth/paths.ts";
import { pathOfDemoResource } from "../../oauth/read_demo_resource.ts";
import { locateResource, type ResourceTerms } from "./resource_terms.ts";

const importRequests = () => import("./show_caller.ts");

export function demoResource({ demoResource }: FeatureTerms): Feature<"resource"> {
  const path = pathOfDemoResource(demoResource) ?? "";
  const terms: ResourceTerms = { path };
  const common = { name: "resource", atOrigin: true, refusal: "json", cors: true } as const;
  return {
    name: "demo_resource",
    spec: "RFC 9728",
    isOff: path === "",
    endpoints: [
      {
        ...common,
        method: "GET",
        path,
        handle: async (exchange, services) =>
          (await importRequests()).showOrExplain(exchange, terms, services),
      },
      {
        ...common,
        method: "POST",
        path,
        handle: async (exchange, services) => (await importRequests()).showCaller(exchange, terms, services),
      },
      {
        ...common,
        method: "GET",
        path: protectedResourcePath + path,
        handle: async (_exchange, services) => (await importRequests()).showMetadata(terms, services),
      },
    ],
    // RFC 9728 §4.
    metadata: { protected_resources: ({ settings }) => [locateResource(terms, settings)] },
  };
}
