/** The tenants of a mock by name, each below a path of its own. */

import { describeValue } from "../schema/received.ts";
import { createTenant, type RunningTenant } from "./create_tenant.ts";
import { listFirstSegments } from "./endpoints.ts";
import type { Fetch } from "./network/fetch.ts";
import type { MovableIssuer } from "./network/movable_issuer.ts";
import type { Tenant } from "./tenant.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";

export interface Tenants {
  /** The mock itself. */
  readonly root: RunningTenant;
  /** The closed ones too, as long as a request of theirs runs. */
  readonly all: readonly RunningTenant[];
  readonly open: readonly RunningTenant[];
  /** By the path of a request. What no tenant has below it belongs to the mock itself. */
  at(path: string): RunningTenant;
  /** Creates the tenant when it is first asked for. */
  obtain(name: string, options: Omit<MockOptions, "issuer">): Tenant;
}

export interface TenantsTerms {
  /** Those of the mock: a tenant has them too, except where its own differ. */
  readonly options: MockOptions;
  readonly issuer: MovableIssuer;
  readonly fetch: Fetch;
}

export function createTenants({ options, issuer, fetch }: TenantsTerms): Tenants {
  const root = createTenant({ options, name: "", issuer: () => issuer.url, fetch });
  const tenants = new Map<string, RunningTenant>();

  function create(name: string, changes: MockOptions): RunningTenant {
    const made: RunningTenant = createTenant({
      options: { ...options, ...changes },
      name,
      issuer: () => `${issuer.url.replace(/\/$/, "")}/${name}`,
      fetch,
      ended: () => {
        // Another tenant may have got the name since.
        if (tenants.get(name) === made) tenants.delete(name);
      },
    });
    tenants.set(name, made);
    return made;
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
      // RFC 8414 §3.1: a well-known path stands before the issuer's own.
      const below = path.replace(/^\/\.well-known\/[^/]*/, "");
      const [, name = ""] = below.startsWith(`${basePath}/`) ? below.slice(basePath.length).split("/") : [];
      const tenant = tenants.get(name);
      return tenant === undefined || tenant.isClosed ? root : tenant;
    },
    obtain(name, given) {
      requireTenantName(name);
      requireMockOptions(`create tenant ${name}`, given, {
        issuer: "a tenant's is the mock's, with its own name after it",
      });
      const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const known = tenants.get(name);
      if (known === undefined || known.isClosed) return create(name, changes).tenant;
      if (Object.keys(changes).length === 0) return known.tenant;
      throw new TypeError(`The tenant ${name} exists already: give its options when you first ask for it`);
    },
  };
}

function requireTenantName(name: string): void {
  // A tenant of such a name would hide paths of the mock itself.
  const taken = [...listFirstSegments(), "_postern"].filter((segment) => /^\w/.test(segment));
  if (typeof name === "string" && /^[a-z0-9][a-z0-9_-]*$/i.test(name) && !taken.includes(name)) return;
  throw new TypeError(
    `A tenant cannot be called ${
      describeValue(name)
    }: expected text of letters, digits, - and _, and none of ` +
      taken.join(", "),
  );
}
