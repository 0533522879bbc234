/** Creates the router of all endpoints. A path is below the issuer's path, or before it if it is well-known. */

import { createRouter, type Router } from "../../http/router.ts";
import type { Endpoint } from "../feature.ts";
import type { Settings } from "../settings.ts";

export function createEndpointRouter(
  endpoints: readonly Endpoint[],
  { basePath }: Pick<Settings, "basePath">,
): Router<Endpoint> {
  // RFC 8414 §3.1: a well-known path is inserted before the issuer's path.
  const pathOf = ({ path, wellKnown }: Endpoint) => wellKnown ? path + basePath : basePath + path;
  const plain = endpoints.filter(({ wellKnown }) => !wellKnown);
  // If the issuer has no path, an endpoint with both kinds of path has the same address twice.
  const wellKnown = endpoints.filter((endpoint) =>
    endpoint.wellKnown &&
    !plain.some((each) => pathOf(each) === pathOf(endpoint) && each.handle === endpoint.handle)
  );
  return createRouter([...plain, ...wellKnown].map((endpoint) => ({
    method: endpoint.method,
    path: pathOf(endpoint),
    handler: endpoint,
  })));
}
