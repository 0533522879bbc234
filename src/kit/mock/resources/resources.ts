/** The APIs of a mock and its tenants, and how a request finds its API. */

import type { Address } from "../../../server/http/address.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { locateMetadata } from "./describe_resource.ts";
import { createResource, type Resource, type RunningResource } from "./resource.ts";
import {
  readResourceUrl,
  requireResourceOptions,
  type ResourceHandler,
  type ResourceTerms,
} from "./resource_terms.ts";
import { isBelow } from "./rules.ts";

/** The APIs of a mock. All its tenants share them, because a request does not say which tenant it means. */
export interface Resources {
  add(
    given: string | URL,
    terms: ResourceTerms,
    handler: ResourceHandler | undefined,
    context: TenantContext,
  ): Resource;
  /** An unknown path at the origin of an API belongs to it, which answers 404, unless the issuer has the same origin. */
  find(address: Pick<Address, "origin" | "path">): RunningResource | undefined;
  /** The origins of the APIs, in a new set. */
  readonly origins: Set<string>;
  /** Finds an API only at the origin of the issuer. */
  findCovering(path: string): Resource | undefined;
  of(context: TenantContext): readonly RunningResource[];
}

interface ResourcesOptions {
  readonly issuerOrigin: () => string;
  readonly otherOrigins: readonly string[];
  readonly findServer: (issuer: string) => TenantContext | undefined;
  /** Finds a path at which a server of the mock answers. */
  readonly findServed: (isWanted: (path: string) => boolean) => string | undefined;
  /** Throws if the global `fetch` is intercepted, and another mock intercepts this origin. */
  readonly requireFree: (origin: string) => void;
}

interface Entry {
  readonly running: RunningResource;
  readonly context: TenantContext;
}

export function createResources(
  { issuerOrigin, otherOrigins, findServer, findServed, requireFree }: ResourcesOptions,
): Resources {
  const entries = new Set<Entry>();
  const originOf = ({ running }: Entry) => new URL(running.resource.url).origin;

  function requireOptions(doing: string, url: string, terms: ResourceTerms): void {
    requireResourceOptions(doing, url, terms);
    const metadataUrl = locateMetadata(url, terms);
    if (metadataUrl === undefined || new URL(metadataUrl).origin !== issuerOrigin()) return;
    const { pathname } = new URL(metadataUrl);
    if (findServed((path) => path === pathname) === undefined) return;
    throw new TypeError(
      `Cannot ${doing}: the authorization server answers at ${metadataUrl}. Choose another address for the metadata`,
    );
  }

  return {
    add(given, terms, handler, context) {
      context.requireOpen();
      const first = readResourceUrl(given, issuerOrigin());
      const doing = `create the resource ${first}`;
      requireOwnOrigin(first, otherOrigins);
      requireOptions(doing, first, terms);
      requireNew(first, [...entries]);
      const isBelowIssuer = typeof given === "string" && given.startsWith("/");
      if (new URL(first).origin === issuerOrigin()) requireUnserved(first, findServed);
      requireConfigured(first, context);
      requireFree(new URL(first).origin);
      const running = createResource({
        url: isBelowIssuer ? () => issuerOrigin() + given : () => first,
        terms,
        handler,
        context,
        findServer,
        requireOptions,
        remove: () => entries.delete(entry),
      });
      const entry: Entry = { running, context };
      entries.add(entry);
      return running.resource;
    },
    find({ origin, path }) {
      if (entries.size === 0) return undefined;
      const here = [...entries].filter((entry) => originOf(entry) === origin);
      const owners = here.filter(({ running }) => running.owns(path));
      const [longest] = owners.sort((left, right) =>
        right.running.resource.url.length - left.running.resource.url.length
      );
      return (longest ?? (origin === issuerOrigin() ? undefined : here[0]))?.running;
    },
    findCovering(path) {
      const all = [...entries].map(({ running }) => running.resource);
      return all.find(({ url }) =>
        new URL(url).origin === issuerOrigin() && isBelow(path, new URL(url).pathname)
      );
    },
    get origins() {
      return new Set([...entries].map(originOf));
    },
    of: (context) => [...entries].filter((entry) => entry.context === context).map(({ running }) => running),
  };
}

function requireNew(url: string, entries: readonly Entry[]): void {
  if (entries.every(({ running }) => running.resource.url !== url)) return;
  throw new TypeError(
    `Cannot create the resource ${url}: it exists already. Change that resource, or remove it first`,
  );
}

/** Otherwise, the API would hide the server at its other name. */
function requireOwnOrigin(url: string, otherOrigins: readonly string[]): void {
  const { origin, pathname } = new URL(url);
  if (!otherOrigins.includes(origin)) return;
  throw new TypeError(
    `Cannot create the resource ${url}: this is another name of the server. Give the path ${pathname}: it is at ` +
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

/** With a list of resources, the server issues tokens for these only. */
function requireConfigured(url: string, { services }: TenantContext): void {
  const { resources } = services.settings;
  if (resources.size === 0 || resources.has(url)) return;
  throw new TypeError(
    `Cannot create the resource ${url}: the server issues tokens for ${[...resources].join(", ")} only. ` +
      "Add it to the option resources",
  );
}
