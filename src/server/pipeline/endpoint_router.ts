/** Creates the router of all endpoints. A path is below the issuer's path, or before it if it is well-known. */

import { createRouter, type Router } from "../../ground/http/router.ts";
import type { Endpoint } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { remember } from "../../ground/values/remember.ts";
import { pathOf } from "../oauth/requests/server_urls.ts";

export function createEndpointRouter(
  endpoints: readonly Endpoint[],
  settings: Pick<Settings, "basePath" | "optionalInPath">,
): Router<Endpoint> {
  const router = shareRouter(endpoints, settings.basePath) ?? createOwnRouter(endpoints, settings);
  const { optionalInPath } = settings;
  return optionalInPath === undefined
    ? router
    : (method, path) => router(method, path.replace(optionalInPath, ""));
}

/** Servers with the same endpoints share routers, because the paths of all endpoints take 10 kB. */
const shared = new WeakMap<readonly Endpoint[], Map<string, Router<Endpoint>>>();

function findShared(endpoints: readonly Endpoint[], basePath: string): Router<Endpoint> {
  const routers = remember(shared, endpoints, () => new Map<string, Router<Endpoint>>());
  return remember(routers, basePath, () => createOwnRouter(endpoints, { basePath }));
}

/** Stands for the path of the issuer in a shared router. No path of a request contains it. */
const anyBase = "/?";

/** Returns `undefined` if the path of the issuer makes the paths of some endpoints equal. */
function shareRouter(endpoints: readonly Endpoint[], basePath: string): Router<Endpoint> | undefined {
  if (basePath === "") return findShared(endpoints, "");
  const router = findShared(endpoints, anyBase);
  const withoutBase = (path: string) =>
    path.startsWith(`${basePath}/`)
      ? anyBase + path.slice(basePath.length)
      : path.endsWith(basePath)
      ? path.slice(0, -basePath.length) + anyBase
      : path;
  const route: Router<Endpoint> = (method, path) => router(method, withoutBase(path));
  const isFound = (endpoint: Endpoint) => {
    const match = route(endpoint.method, pathOf(endpoint, { basePath }));
    return match !== undefined && "handler" in match && match.handler === endpoint;
  };
  return endpoints.every(isFound) ? route : undefined;
}

function createOwnRouter(
  endpoints: readonly Endpoint[],
  settings: Pick<Settings, "basePath">,
): Router<Endpoint> {
  const plain = endpoints.filter(({ wellKnown }) => !wellKnown);
  // If the issuer has no path, an endpoint with both kinds of path has the same address twice.
  const wellKnown = endpoints.filter((endpoint) =>
    endpoint.wellKnown &&
    !plain.some((each) =>
      pathOf(each, settings) === pathOf(endpoint, settings) && each.handle === endpoint.handle
    )
  );
  return createRouter(
    [...plain, ...wellKnown].flatMap((endpoint) =>
      listPaths(endpoint, settings).map((path) => ({ method: endpoint.method, path, handler: endpoint }))
    ),
  );
}

/** The front page is also at the issuer itself, which has no slash at the end of its path. */
function listPaths(endpoint: Endpoint, settings: Pick<Settings, "basePath">): readonly string[] {
  const path = pathOf(endpoint, settings);
  return endpoint.path === "/" && settings.basePath !== "" ? [path, settings.basePath] : [path];
}
