/** The APIs and routes of a mock and its tenants, and how a request finds its own. */

import type { Address } from "../../../ground/http/address.ts";
import type { Answer } from "../../../ground/http/message.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { requireFunction } from "../terms/wrong_term.ts";
import { locateMetadata } from "./describe_resource.ts";
import { createResource, type Resource, type RunningResource } from "./resource.ts";
import {
  readResourceUrl,
  requireResourceOptions,
  type ResourceHandler,
  type ResourceTerms,
} from "./resource_terms.ts";
import { createRoute, readRoute, refuseUnrouted, type RouteHandler, type RunningRoute } from "./route.ts";
import { isBelow } from "./rules.ts";

/** The APIs of a mock. All its tenants share them, because a request does not say which tenant it means. */
export interface Resources {
  add(
    given: string | URL,
    terms: ResourceTerms,
    handler: ResourceHandler | undefined,
    running: RunningTenant,
  ): Resource;
  addRoute(pattern: string, handler: RouteHandler, running: RunningTenant): Disposable;
  /**
   * A route comes first. An unknown path at the origin of an API belongs to it, which answers 404, unless the issuer or a
   * look-alike has the same origin.
   */
  find(address: Pick<Address, "origin" | "path">, method: string): Answering | undefined;
  /** The origins of the APIs and routes, in a new set. */
  readonly origins: Set<string>;
  /** Names an API or a route that would hide the endpoints of a tenant at this path of the issuer's origin. */
  findCovering(path: string): string | undefined;
  removeRoutes(running: RunningTenant): void;
  of(running: RunningTenant): readonly RunningResource[];
}

interface Answering {
  answer(request: Request): Promise<Answer>;
}

interface ResourcesOptions {
  readonly issuerOrigin: () => string;
  readonly otherOrigins: readonly string[];
  /** The origins at which a proxy answers. Absent: there is none. */
  readonly proxied: readonly string[] | undefined;
  readonly findRoot: () => RunningTenant;
  readonly findServer: (issuer: string) => RunningTenant | undefined;
  /** Finds a path at which a server of the mock answers. */
  readonly findServed: (isWanted: (path: string) => boolean) => string | undefined;
  /** Finds the server that looks like the provider with this origin. */
  readonly findProvider: (origin: string) => RunningTenant | undefined;
  /** Throws if the global `fetch` is intercepted, and another mock intercepts this origin. */
  readonly requireFree: (origin: string) => void;
}

interface Entry {
  readonly api: RunningResource;
  readonly running: RunningTenant;
}

export function createResources(
  { issuerOrigin, otherOrigins, proxied, ...options }: ResourcesOptions,
): Resources {
  const { findRoot, findServer, findServed, findProvider, requireFree } = options;
  const entries = new Set<Entry>();
  const routes = new Map<RunningRoute, RunningTenant>();
  const originOf = ({ api }: Entry) => new URL(api.resource.url).origin;
  const served = { issuerOrigin, findServed };
  return {
    add(given, terms, handler, running) {
      running.requireOpen();
      const first = readResourceUrl(given, issuerOrigin());
      const doing = `create the resource ${first}`;
      requireOwnOrigin(doing, first, otherOrigins);
      requireOptions(doing, first, terms, served);
      requireNew(first, [...entries]);
      const isBelowIssuer = typeof given === "string" && given.startsWith("/");
      if (new URL(first).origin === issuerOrigin()) requireUnserved(first, findServed);
      requireConfigured(first, running);
      requireFree(new URL(first).origin);
      const api = createResource({
        url: isBelowIssuer ? () => issuerOrigin() + given : () => first,
        terms,
        handler,
        running,
        findServer,
        requireOptions: (doing, url, terms) => requireOptions(doing, url, terms, served),
        remove: () => entries.delete(entry),
      });
      const entry: Entry = { api, running };
      entries.add(entry);
      return api.resource;
    },
    addRoute(given, handler, running) {
      running.requireOpen();
      const pattern = readRoute(given, issuerOrigin());
      const doing = `add the route ${given}`;
      requireFunction(doing, handler, "a function that takes a Request and returns a Response");
      requireOwnOrigin(doing, pattern.url, otherOrigins);
      const { origin } = new URL(pattern.url);
      if (origin === issuerOrigin()) requireUnservedRoute(doing, pattern.url, findServed);
      else requireProxied(doing, origin, proxied);
      if ([...routes.keys()].some(({ method, url }) => method === pattern.method && url === pattern.url)) {
        throw new TypeError(`Cannot ${doing}: it exists already. Remove it first`);
      }
      requireFree(origin);
      const route = createRoute({ pattern, handler, running, issuerOrigin, findProvider });
      routes.set(route, running);
      return { [Symbol.dispose]: () => void routes.delete(route) };
    },
    find({ origin, path }, method) {
      const isProxied = proxied?.includes(origin) === true;
      if (entries.size + routes.size === 0 && !isProxied) return undefined;
      const route = findRoute({ origin, path }, method, [...routes.keys()]);
      if (route !== undefined) return route;
      const here = [...entries].filter((entry) => originOf(entry) === origin);
      const owners = here.filter(({ api }) => api.owns(path));
      const [longest] = owners.sort((left, right) =>
        right.api.resource.url.length - left.api.resource.url.length
      );
      if (longest !== undefined) return longest.api;
      if (origin === issuerOrigin() || findProvider(origin) !== undefined) return undefined;
      const neighbour = [...routes.keys()].find((route) => route.origin === origin);
      const refusing = neighbour === undefined ? isProxied ? findRoot() : undefined : routes.get(neighbour);
      return here[0]?.api ??
        (refusing && { answer: (request) => refuseUnrouted(request, origin, refusing) });
    },
    findCovering(path) {
      const isHere = ({ url }: { readonly url: string }) => new URL(url).origin === issuerOrigin();
      const apis = [...entries].map(({ api }) => api.resource);
      return nameCovering(path, apis.filter(isHere), [...routes.keys()].filter(isHere));
    },
    get origins() {
      return new Set([...[...entries].map(originOf), ...[...routes.keys()].map(({ origin }) => origin)]);
    },
    removeRoutes(running) {
      for (const [route, owner] of routes) if (owner === running) routes.delete(route);
    },
    of: (running) => [...entries].filter((entry) => entry.running === running).map(({ api }) => api),
  };
}

function requireOptions(
  doing: string,
  url: string,
  terms: ResourceTerms,
  { issuerOrigin, findServed }: Pick<ResourcesOptions, "issuerOrigin" | "findServed">,
): void {
  requireResourceOptions(doing, url, terms);
  const metadataUrl = locateMetadata(url, terms);
  if (metadataUrl === undefined || new URL(metadataUrl).origin !== issuerOrigin()) return;
  const { pathname } = new URL(metadataUrl);
  if (findServed((path) => path === pathname) === undefined) return;
  throw new TypeError(
    `Cannot ${doing}: the authorization server answers at ${metadataUrl}. Choose another address for the metadata`,
  );
}

function findRoute(
  address: Pick<Address, "origin" | "path">,
  method: string,
  routes: readonly RunningRoute[],
): RunningRoute | undefined {
  const here = routes.filter((route) => route.isAt(address));
  return here.find((route) => route.method === method) ??
    here.find((route) => method === "OPTIONS" || method === "HEAD" && route.method === "GET");
}

function nameCovering(
  path: string,
  apis: readonly Resource[],
  routes: readonly RunningRoute[],
): string | undefined {
  const api = apis.find(({ url }) => isBelow(path, new URL(url).pathname));
  if (api !== undefined) return `the resource ${api.url}`;
  const route = routes.find(({ url }) => isBelow(new URL(url).pathname, path));
  return route && `the route ${route.method} ${route.url}`;
}

function requireNew(url: string, entries: readonly Entry[]): void {
  if (entries.every(({ api }) => api.resource.url !== url)) return;
  throw new TypeError(
    `Cannot create the resource ${url}: it exists already. Change that resource, or remove it first`,
  );
}

/** Otherwise, the API would hide the server at its other name. */
function requireOwnOrigin(doing: string, url: string, otherOrigins: readonly string[]): void {
  const { origin, pathname } = new URL(url);
  if (!otherOrigins.includes(origin)) return;
  throw new TypeError(
    `Cannot ${doing}: this is another name of the server. Give the path ${pathname}: it is at ` +
      "every name, and its URL begins with the issuer's origin",
  );
}

/** An API at the origin of the issuer must not hide an endpoint of a server. */
function requireUnserved(url: string, findServed: ResourcesOptions["findServed"]): void {
  const { pathname } = new URL(url);
  if (pathname === "/") {
    throw new TypeError(
      `Cannot create the resource ${url}: its origin is that of the issuer, so it needs a path, such as /mcp`,
    );
  }
  const served = findServed((path) => isBelow(path, pathname));
  if (served === undefined) return;
  throw new TypeError(
    `Cannot create the resource ${url}: the authorization server answers at ${served}. Choose another path, such as /mcp`,
  );
}

function requireUnservedRoute(doing: string, url: string, findServed: ResourcesOptions["findServed"]): void {
  const { pathname } = new URL(url);
  if (findServed((path) => path === pathname) === undefined) return;
  throw new TypeError(
    `Cannot ${doing}: the authorization server answers at ${pathname}. Change its answers with as.on()`,
  );
}

/** No other program would reach the route. */
function requireProxied(doing: string, origin: string, proxied: readonly string[] | undefined): void {
  if (proxied === undefined || proxied.includes(origin)) return;
  const { protocol, hostname, port } = new URL(origin);
  throw new TypeError(
    `Cannot ${doing}: the proxy does not answer there. ` +
      (protocol === "https:" && port === ""
        ? `Start with --proxy-host ${hostname} too`
        : "It answers by https only, at port 443"),
  );
}

/** With a list of resources, the server issues tokens for these only. */
function requireConfigured(url: string, { services }: RunningTenant): void {
  const { resources } = services.settings;
  if (resources.size === 0 || resources.has(url)) return;
  throw new TypeError(
    `Cannot create the resource ${url}: the server issues tokens for ${[...resources].join(", ")} only. ` +
      "Add it to the option resources",
  );
}
