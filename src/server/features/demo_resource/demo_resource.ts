/** A small protected API beside the server, which says who calls it: to try access tokens (RFC 6750, RFC 9728). */

import type { Feature } from "../../oauth/contracts/feature.ts";
import type { CoreOptions } from "../../oauth/contracts/core_options.ts";
import { pathOfDemoResource, protectedResourcePath } from "../../oauth/contracts/paths.ts";
import { callForPerson, locateResource, showCaller, showMetadata, showOrExplain } from "./show_caller.ts";

export function demoResource({ demoResource }: CoreOptions): Feature<"resource"> {
  const path = pathOfDemoResource(demoResource) ?? "";
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
        handle: (exchange, services) => showOrExplain(exchange, path, services),
      },
      {
        ...common,
        method: "POST",
        path,
        handle: (exchange, services) => showCaller(exchange, path, services),
      },
      {
        method: "POST",
        path: `${path}/call`,
        atOrigin: true,
        refusal: "page",
        handle: (exchange, services) => callForPerson(exchange, path, services),
      },
      {
        ...common,
        method: "GET",
        path: protectedResourcePath + path,
        handle: (_exchange, services) => showMetadata(path, services),
      },
    ],
    // RFC 9728 §4.
    metadata: { protected_resources: ({ settings }) => [locateResource(path, settings)] },
  };
}
