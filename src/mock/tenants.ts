/** Creates and finds the tenants of a mock. The path of a tenant's issuer ends with the tenant's name. */

import type { Services } from "../oauth/services.ts";
import { describeValue } from "../schema/received.ts";
import type { ClientMetadata } from "../setup/client_metadata.ts";
import { createTenant, type RunningTenant } from "./create_tenant.ts";
import { listFirstSegments } from "./endpoints.ts";
import type { Fetch } from "./network/fetch.ts";
import type { MovableIssuer } from "./network/movable_issuer.ts";
import type { Tenant } from "./tenant.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";

export interface Tenants {
  /** The mock itself. */
  readonly root: RunningTenant;
  /** The mock itself and its tenants. Includes closed tenants that still have a running request. */
  readonly all: readonly RunningTenant[];
  /** The mock itself and its tenants that are not closed. */
  readonly open: readonly RunningTenant[];
  /** Finds the tenant for the path of a request. Returns the mock itself if the path belongs to no tenant. */
  at(path: string): RunningTenant;
  /** Returns a tenant and creates it at the first call. */
  obtain(name: string, options: Omit<MockOptions, "issuer">): Tenant;
}

export interface TenantsTerms {
  /** The options of the mock. A tenant inherits the options that it does not set itself. */
  readonly options: MockOptions;
  /** The demo clients among the clients in the options. */
  readonly demoClients: readonly ClientMetadata[];
  readonly issuer: MovableIssuer;
  readonly fetch: Fetch;
}

export function createTenants({ options, demoClients, issuer, fetch }: TenantsTerms): Tenants {
  const root = createTenant({ options, demoClients, name: "", issuer: () => issuer.url, fetch });
  const tenants = new Map<string, RunningTenant>();

  function create(name: string, changes: MockOptions): RunningTenant {
    const created: RunningTenant = createTenant({
      options: { ...options, ...changes },
      demoClients,
      name,
      issuer: () => `${issuer.url.replace(/\/$/, "")}/${name}`,
      fetch,
      onClose: () => {
        // A new tenant may have the name by now.
        if (tenants.get(name) === created) tenants.delete(name);
      },
    });
    tenants.set(name, created);
    return created;
  }

  return {
    root,
    get all() {
      return [root, ...tenants.values()];
    },
    get open() {
      return [root, ...tenants.values()].filter(({ isClosed }) => !isClosed);
    },
    at(path) {
      const { basePath } = issuer;
      // The path of a metadata URL begins with the well-known path, and the issuer's path follows (RFC 8414 §3.1).
      const below = path.replace(/^\/\.well-known\/[^/]*/, "");
      const [, name = ""] = below.startsWith(`${basePath}/`) ? below.slice(basePath.length).split("/") : [];
      const tenant = tenants.get(name);
      return tenant === undefined || tenant.isClosed ? root : tenant;
    },
    obtain(name, tenantOptions) {
      requireTenantName(name, root.context.services);
      requireMockOptions(`create tenant ${name}`, tenantOptions, {
        issuer: "a tenant's issuer is the issuer of the mock with the name of the tenant after it",
      });
      const changes = Object.fromEntries(
        Object.entries(tenantOptions).filter(([, value]) => value !== undefined),
      );
      const known = tenants.get(name);
      if (known === undefined || known.isClosed) return create(name, changes).tenant;
      if (Object.keys(changes).length === 0) return known.tenant;
      throw new TypeError(
        `The tenant ${name} exists already: give its options in the first call of tenant()`,
      );
    },
  };
}

function requireTenantName(name: string, services: Services): void {
  // Reserved, because a tenant with such a name would hide paths of the mock itself.
  const reserved = [...listFirstSegments(services), "_postern"].filter((segment) => /^\w/.test(segment));
  if (typeof name === "string" && /^[a-z0-9][a-z0-9_-]*$/i.test(name) && !reserved.includes(name)) return;
  throw new TypeError(
    `A tenant cannot be called ${
      describeValue(name)
    }: expected letters, digits, - and _, and none of the names ` +
      reserved.join(", "),
  );
}
