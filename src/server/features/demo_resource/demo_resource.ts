/** A small protected API beside the server, which says who calls it: to try access tokens (RFC 6750, RFC 9728). */

import type { Feature } from "../../oauth/feature.ts";
import type { FeatureTerms } from "../../oauth/feature_terms.ts";
import { pathOfDemoResource, protectedResourcePath } from "../../oauth/paths.ts";
import { locateResource, type ResourceTerms } from "./resource_terms.ts";
import { showCaller, showMetadata, showOrExplain } from "./show_caller.ts";

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
        handle: (exchange, services) => showOrExplain(exchange, terms, services),
      },
      {
        ...common,
        method: "POST",
        path,
        handle: (exchange, services) => showCaller(exchange, terms, services),
      },
      {
        ...common,
        method: "GET",
        path: protectedResourcePath + path,
        handle: (_exchange, services) => showMetadata(terms, services),
      },
    ],
    // RFC 9728 §4.
    metadata: { protected_resources: ({ settings }) => [locateResource(terms, settings)] },
  };
}
