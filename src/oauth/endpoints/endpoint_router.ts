/** Where each endpoint stands: below the issuer's path, or before it if the path is well-known. */

import { createRouter, type Router } from "../../http/router.ts";
import type { Endpoint } from "../feature.ts";
import type { Settings } from "../settings.ts";

export function createEndpointRouter(
  endpoints: readonly Endpoint[],
  { basePath }: Pick<Settings, "basePath">,
): Router<Endpoint> {
  // RFC 8414 §3.1: a well-known path stands before the issuer's own.
  const pathOf = ({ path, wellKnown }: Endpoint) => wellKnown ? path + basePath : basePath + path;
  const plain = endpoints.filter(({ wellKnown }) => !wellKnown);
  // Where the issuer has no path of its own, one document may be offered at one place in both ways.
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
