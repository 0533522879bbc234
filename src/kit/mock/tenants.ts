/** Creates and finds the tenants of a mock. The path of a tenant's issuer ends with the tenant's name. */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import { pathOfDemoResource, type PathProfile } from "../../server/oauth/contracts/paths.ts";
import { present } from "../../ground/values/present.ts";
import { describeValue } from "../../ground/schema/received.ts";
import { createBegunIssuers, noteRecords, type RunningIssuers } from "./begun_issuers.ts";
import {
  findIssuerName,
  issuerName,
  listDemoResourceNames,
  listReservedNames,
  segmentBelow,
  withoutWellKnown,
} from "./find_issuer_name.ts";
import { createTenant, type RunningTenant, type TenantOptions } from "./create_tenant.ts";
import type { MovableIssuer } from "./network/movable_issuer.ts";
import type { Records } from "./server/records.ts";
import type { Tenant } from "./tenant.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";
import { isOwnHost } from "../../server/oauth/requests/server_urls.ts";

export interface Tenants {
  /** The mock itself. */
  readonly root: RunningTenant;
  /** The mock itself and its tenants. Includes closed tenants that still have a running request. */
  readonly all: readonly RunningTenant[];
  /** The mock itself and its tenants that are not closed. */
  readonly open: readonly RunningTenant[];
  /**
   * Lets the tenant of a request answer, or the mock itself if the path belongs to no tenant. Where the profile has an
   * issuer for every name, the request begins the tenant, and the tenant ends without records.
   */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Finds the tenant for the path of a URL of the test, or creates it. Otherwise returns the mock itself. */
  at(path: string): RunningTenant;
  /** Returns a tenant and creates it at the first call. */
  obtain(name: string, options: Omit<MockOptions, "issuer">): Tenant;
  /** Creates a tenant that inherits no options of the mock. Returns `undefined` if a tenant with this name is open. */
  createOwn(
    name: string,
    terms: Required<Pick<TenantOptions, "options" | "changeFeatures">>,
  ): RunningTenant | undefined;
}

/** What the mock shares with its tenants. A tenant inherits the options that it does not set itself. */
export interface TenantsOptions
  extends Omit<TenantOptions, "name" | "issuer" | "keep" | "onClose" | "changeFeatures"> {
  readonly issuer: MovableIssuer;
  readonly profile: PathProfile;
  /** Real time in seconds, which no test turns. By it, tenants end that requests began and that have no records. */
  readonly now: () => number;
}

export function createTenants({ issuer, profile, now, ...shared }: TenantsOptions): Tenants {
  const { options, resources, records } = shared;
  const root = createTenant({ ...shared, name: "", issuer: () => issuer.url });
  const tenants = new Map<string, RunningTenant>();
  const begun = createBegunIssuers(now);

  const running: RunningIssuers = {
    // In memory, a record that a running request is about to write would be lost.
    isBusy: (name) => tenants.get(name)?.runningRequests.isBusy === true,
    // That loses nothing: a request begins it again, with the same keys.
    end: (name) => void tenants.get(name)?.tenant.close().catch(() => {}),
  };
  /** The records of tenants that requests begin. */
  const noted: Records = {
    ...records,
    open: (name) =>
      noteRecords(records.open(name), (lifetime) => {
        if (begun.has(name)) begun.noteRecord(name, lifetime);
      }),
    clear(name) {
      begun.noteReset(name);
      records.clear(name);
    },
  };

  function create(
    name: string,
    changes: MockOptions,
    own: Partial<Pick<TenantOptions, "records" | "options" | "changeFeatures">> = {},
  ): RunningTenant {
    const created: RunningTenant = createTenant({
      ...shared,
      // Only the people of the mock itself are saved.
      savedPeople: undefined,
      options: { ...options, ...changes },
      ...own,
      name,
      issuer: () => `${issuer.place.tenantsUrl}/${name}`,
      keep: () => begun.release(name),
      onClose: () => {
        // A new tenant may have the name by now.
        if (tenants.get(name) === created) tenants.delete(name);
      },
    });
    tenants.set(name, created);
    return created;
  }

  function findOpen(path: string): RunningTenant | undefined {
    const tenant = tenants.get(segmentBelow(issuer.place.tenantsPath, withoutWellKnown(path)) ?? "");
    return tenant?.isClosed ? undefined : tenant;
  }

  /** Finds the name of a new tenant in a path, if the profile has an issuer for every name. */
  function findNewName(path: string): string | undefined {
    if (!profile.namesIssuers || root.isClosed) return undefined;
    const name = findIssuerName(path, issuer.place.tenantsPath, profile);
    if (name === undefined || listReserved().includes(name)) return undefined;
    return resources.findCovering(pathOfTenant(name)) === undefined ? name : undefined;
  }

  function pathOfTenant(name: string): string {
    return `${issuer.place.tenantsPath}/${name}`;
  }

  /** Refuses a new tenant whose endpoints an API would hide. */
  function requireUncovered(name: string): void {
    const api = resources.findCovering(pathOfTenant(name));
    if (api === undefined) return;
    throw new TypeError(
      `Cannot create tenant ${name}: ${api} answers at the paths of its endpoints. Choose another name`,
    );
  }

  /** Returns the names that would hide paths of the mock itself. */
  function listReserved(): readonly string[] {
    const { ownName, tenantsPath } = issuer.place;
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
    answer(request) {
      const { address } = request;
      const open = findOpen(address.path);
      if (open !== undefined) return open.context.answer(request);
      const name = findNewName(address.path);
      if (name === undefined || !isOwnHost(address, root.context.services.settings)) {
        return root.context.answer(request);
      }
      const refusal = begun.begin(name, request, running);
      return refusal === undefined
        ? create(name, {}, { records: noted }).context.answer(request)
        : Promise.resolve(refusal);
    },
    at(path) {
      const open = findOpen(path);
      if (open !== undefined) {
        open.keep();
        return open;
      }
      const name = findNewName(path);
      return name === undefined ? root : create(name, {});
    },
    obtain(name, tenantOptions) {
      requireTenantName(name, listReserved());
      requireMockOptions(`create tenant ${name}`, tenantOptions, {
        issuer: `the issuer of this tenant is ${issuer.place.tenantsUrl}/${name}`,
      });
      const changes = present(tenantOptions);
      const known = tenants.get(name);
      if (known === undefined || known.isClosed) {
        requireUncovered(name);
        return create(name, changes).tenant;
      }
      known.keep();
      if (Object.keys(changes).length === 0) return known.tenant;
      throw new TypeError(
        `The tenant ${name} exists already: give its options in the first call of tenant()`,
      );
    },
    createOwn(name, own) {
      requireTenantName(name, listReserved());
      const known = tenants.get(name);
      if (known?.isClosed === false) {
        if (!begun.has(name)) return undefined;
        // Only requests have used it.
        known.keep();
        known.tenant.close().catch(() => {});
      }
      requireUncovered(name);
      return create(name, {}, own);
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
