/** Creates the router of all endpoints. A path is below the issuer's path, or before it if it is well-known. */

import { createRouter, type Router } from "../../ground/http/router.ts";
import type { Endpoint } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { pathOf } from "../oauth/requests/server_urls.ts";

export function createEndpointRouter(
  endpoints: readonly Endpoint[],
  settings: Pick<Settings, "basePath" | "optionalInPath">,
): Router<Endpoint> {
  const plain = endpoints.filter(({ wellKnown }) => !wellKnown);
  // If the issuer has no path, an endpoint with both kinds of path has the same address twice.
  const wellKnown = endpoints.filter((endpoint) =>
    endpoint.wellKnown &&
    !plain.some((each) =>
      pathOf(each, settings) === pathOf(endpoint, settings) && each.handle === endpoint.handle
    )
  );
  const router = createRouter(
    [...plain, ...wellKnown].flatMap((endpoint) =>
      listPaths(endpoint, settings).map((path) => ({ method: endpoint.method, path, handler: endpoint }))
    ),
  );
  const { optionalInPath } = settings;
  return optionalInPath === undefined
    ? router
    : (method, path) => router(method, path.replace(optionalInPath, ""));
}

/** The front page is also at the issuer itself, which has no slash at the end of its path. */
function listPaths(endpoint: Endpoint, settings: Pick<Settings, "basePath">): readonly string[] {
  const path = pathOf(endpoint, settings);
  return endpoint.path === "/" && settings.basePath !== "" ? [path, settings.basePath] : [path];
}
