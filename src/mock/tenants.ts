/** Creates and finds the tenants of a mock. The path of a tenant's issuer ends with the tenant's name. */

import type { IncomingRequest } from "../http/message.ts";
import { isOwnHost } from "../oauth/endpoints/find_endpoint.ts";
import type { PathProfile } from "../oauth/endpoints/paths.ts";
import { describeValue } from "../schema/received.ts";
import { mostIssuersBefore } from "../server/begun_issuers.ts";
import {
  findIssuerName,
  issuerName,
  listDemoResourceNames,
  listReservedNames,
  segmentBelow,
} from "../server/find_issuer_name.ts";
import type { ClientMetadata } from "../setup/client_metadata.ts";
import type { PersonConfiguration } from "../setup/configuration.ts";
import { pathOfDemoResource } from "../setup/read_demo_resource.ts";
import { createTenant, type FrameOf, type RunningTenant } from "./create_tenant.ts";
import type { Fetch } from "./network/fetch.ts";
import type { MovableIssuer } from "./network/movable_issuer.ts";
import type { Resources } from "./resources/resources.ts";
import type { Records } from "./server/records.ts";
import type { Tenant } from "./tenant.ts";
import type { SavedList } from "./terms/directory.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";

export interface Tenants {
  /** The mock itself. */
  readonly root: RunningTenant;
  /** The mock itself and its tenants. Includes closed tenants that still have a running request. */
  readonly all: readonly RunningTenant[];
  /** The mock itself and its tenants that are not closed. */
  readonly open: readonly RunningTenant[];
  /** The names of the tenants that are not closed. */
  names(): readonly string[];
  /** Finds the tenant for the path of a request, or of a URL. Returns the mock itself if the path belongs to no tenant. */
  at(path: string, request?: IncomingRequest): RunningTenant;
  /** Returns a tenant and creates it at the first call. */
  obtain(name: string, options: Omit<MockOptions, "issuer">): Tenant;
}

export interface TenantsTerms {
  /** The options of the mock. A tenant inherits the options that it does not set itself. */
  readonly options: MockOptions;
  /** The demo clients among the clients in the options. */
  readonly demoClients: readonly ClientMetadata[];
  readonly issuer: MovableIssuer;
  readonly profile: PathProfile;
  readonly fetch: Fetch;
  readonly resources: Resources;
  readonly frame: FrameOf;
  readonly records: Records;
  /** Whether other machines can reach the mock. */
  readonly isReached: boolean;
  /** Where the people of the mock itself are saved. Absent: in memory only. */
  readonly savedPeople?: SavedList<PersonConfiguration> | undefined;
}

export function createTenants(
  { options, demoClients, issuer, profile, fetch, resources, frame, records, isReached, savedPeople }:
    TenantsTerms,
): Tenants {
  const common = { demoClients, fetch, resources, frame, records, isReached };
  const root = createTenant({ ...common, options, savedPeople, name: "", issuer: () => issuer.url });
  const tenants = new Map<string, RunningTenant>();

  function create(name: string, changes: MockOptions): RunningTenant {
    const created: RunningTenant = createTenant({
      ...common,
      options: { ...options, ...changes },
      name,
      issuer: () => `${issuer.tenantsUrl}/${name}`,
      onClose: () => {
        // A new tenant may have the name by now.
        if (tenants.get(name) === created) tenants.delete(name);
      },
    });
    tenants.set(name, created);
    return created;
  }

  /** Creates the tenant that the path of a request names, if the profile has an issuer for every name. */
  function createAt(path: string, request: IncomingRequest | undefined): RunningTenant | undefined {
    if (!profile.namesIssuers || root.isClosed) return undefined;
    const name = findIssuerName(path, issuer.tenantsPath, profile);
    if (name === undefined || listReserved().includes(name)) return undefined;
    if (resources.findCovering(pathOfTenant(name)) !== undefined) return undefined;
    if (request !== undefined && !isOwnHost(request.address, new URL(issuer.url).host)) return undefined;
    return tenants.size < mostIssuersBefore(request) ? create(name, {}) : undefined;
  }

  function pathOfTenant(name: string): string {
    return `${issuer.tenantsPath}/${name}`;
  }

  /** Refuses a new tenant whose endpoints an API would hide. */
  function requireUncovered(name: string): void {
    const api = resources.findCovering(pathOfTenant(name));
    if (api === undefined) return;
    throw new TypeError(
      `Cannot create tenant ${name}: the resource ${api.url} answers at the paths of its endpoints. Choose another name`,
    );
  }

  /** Returns the names that would hide paths of the mock itself. */
  function listReserved(): readonly string[] {
    const { ownName, tenantsPath } = issuer;
    const own = ownName === undefined ? [...listReservedNames(profile), "_postern"] : [ownName];
    return [...own, ...listDemoResourceNames(tenantsPath, pathOfDemoResource(options.demoResource))];
  }

  return {
    root,
    get all() {
      return [root, ...tenants.values()];
    },
    get open() {
      return [root, ...tenants.values()].filter(({ isClosed }) => !isClosed);
    },
    names: () => [...tenants].filter(([, { isClosed }]) => !isClosed).map(([name]) => name),
    at(path, request) {
      const { tenantsPath } = issuer;
      // The path of a metadata URL begins with the well-known path, and the issuer's path follows (RFC 8414 §3.1).
      const below = path.replace(/^\/\.well-known\/[^/]*/, "");
      const name = segmentBelow(tenantsPath, below) ?? "";
      const tenant = tenants.get(name);
      return tenant === undefined || tenant.isClosed ? createAt(path, request) ?? root : tenant;
    },
    obtain(name, tenantOptions) {
      requireTenantName(name, listReserved());
      requireMockOptions(`create tenant ${name}`, tenantOptions, {
        issuer: `the issuer of this tenant is ${issuer.tenantsUrl}/${name}`,
      });
      const changes = Object.fromEntries(
        Object.entries(tenantOptions).filter(([, value]) => value !== undefined),
      );
      const known = tenants.get(name);
      if (known === undefined || known.isClosed) {
        requireUncovered(name);
        return create(name, changes).tenant;
      }
      if (Object.keys(changes).length === 0) return known.tenant;
      throw new TypeError(
        `The tenant ${name} exists already: give its options in the first call of tenant()`,
      );
    },
  };
}

function requireTenantName(name: string, reserved: readonly string[]): void {
  if (typeof name === "string" && issuerName.test(name) && !reserved.includes(name)) return;
  throw new TypeError(
    `A tenant cannot be called ${
      describeValue(name)
    }: expected up to 100 letters, digits, - and _, and none of the names ` +
      reserved.filter((segment) => /^\w/.test(segment)).join(", "),
  );
}
