/** Creates and finds the tenants of a mock. The path of a tenant's issuer ends with the tenant's name. */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import { pathOfDemoResource } from "../../server/oauth/contracts/paths.ts";
import { isOwnHost } from "../../server/oauth/requests/server_urls.ts";
import { describeValue } from "../../ground/schema/received.ts";
import { present } from "../../ground/values/present.ts";
import { noteRecords, type RunningIssuers } from "./begun_issuers.ts";
import { createTenant } from "./create_tenant.ts";
import {
  findIssuerName,
  issuerName,
  listDemoResourceNames,
  listReservedNames,
  segmentBelow,
  withoutWellKnown,
} from "./find_issuer_name.ts";
import type { RunningMock } from "./running_mock.ts";
import type { RunningTenant, TenantTerms } from "./running_tenant.ts";
import type { Records } from "./server/records.ts";
import type { Tenant } from "./tenant.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";

type OpenTenant = RunningTenant<Tenant>;

/** Returns the mock itself and its tenants. Includes closed tenants that still have a running request. */
export function listAll({ root, tenants }: RunningMock): readonly OpenTenant[] {
  return [root, ...tenants.values()];
}

/** Returns the mock itself and its tenants that are not closed. */
export function listOpen(mock: RunningMock): readonly OpenTenant[] {
  return listAll(mock).filter(({ isClosed }) => !isClosed);
}

/**
 * Lets the tenant of a request answer, or the mock itself if the path belongs to no tenant. Where the profile has an
 * issuer for every name, the request begins the tenant, and the tenant ends without records.
 */
export function answerAsTenant(request: IncomingRequest, mock: RunningMock): Promise<Answer> {
  const { root, begun } = mock;
  const { address } = request;
  const open = findOpen(address.path, mock);
  if (open !== undefined) return open.answer(request);
  const name = findNewName(address.path, mock);
  if (name === undefined || !isOwnHost(address, root.services.settings)) return root.answer(request);
  const refusal = begun.begin(name, request, describeRunning(mock));
  return refusal === undefined
    ? create(name, { records: noteBegun(mock) }, mock).answer(request)
    : Promise.resolve(refusal);
}

/** Finds the tenant for the path of a URL of the test, or creates it. Otherwise returns the mock itself. */
export function findOrCreate(path: string, mock: RunningMock): OpenTenant {
  const open = findOpen(path, mock);
  open?.keep();
  const name = open === undefined ? findNewName(path, mock) : undefined;
  return open ?? (name === undefined ? mock.root : create(name, {}, mock));
}

/** Finds the tenant that looks like the provider with this origin. */
export function findProvider(origin: string, mock: RunningMock): OpenTenant | undefined {
  const claimed = mock.shared.claimedHosts.find(origin);
  return claimed && listOpen(mock).find(({ name }) => name === claimed.tenant);
}

/** Returns a tenant and creates it at the first call. */
export function obtainTenant(
  name: string,
  options: Omit<MockOptions, "issuer">,
  mock: RunningMock,
): Tenant {
  requireTenantName(name, mock);
  requireMockOptions(`create tenant ${name}`, options, {
    issuer: `the issuer of this tenant is ${mock.issuer.place.tenantsUrl}/${name}`,
  });
  const changes = present(options);
  const hasChanges = Object.keys(changes).length > 0;
  const known = mock.tenants.get(name);
  if (known === undefined || known.isClosed) {
    requireUncovered(name, mock);
    const own = hasChanges ? { options: { ...mock.options, ...changes } } : {};
    return create(name, own, mock).tenant;
  }
  known.keep();
  if (!hasChanges) return known.tenant;
  throw new TypeError(
    `The tenant ${name} exists already: give its options in the first call of tenant()`,
  );
}

/** Creates a tenant that inherits no options of the mock. Returns `undefined` if a tenant with this name is open. */
export function createOwn(
  name: string,
  own: Required<Pick<TenantTerms, "options" | "changeFeatures">>,
  mock: RunningMock,
): OpenTenant | undefined {
  requireTenantName(name, mock);
  const known = mock.tenants.get(name);
  if (known?.isClosed === false) {
    if (!mock.begun.has(name)) return undefined;
    // Only requests have used it.
    known.keep();
    known.tenant.close().catch(() => {});
  }
  requireUncovered(name, mock);
  return create(name, own, mock);
}

function create(name: string, own: Partial<TenantTerms>, mock: RunningMock): OpenTenant {
  const { shared, issuer, tenants } = mock;
  const created = createTenant({
    ...shared,
    // Only the people of the mock itself are saved.
    savedPeople: undefined,
    ...own,
    name,
    issuer: () => `${issuer.place.tenantsUrl}/${name}`,
  }, mock);
  tenants.set(name, created);
  return created;
}

/** Finds the tenant at a path that is not closed. */
export function findOpen(path: string, { issuer, tenants }: RunningMock): OpenTenant | undefined {
  const tenant = tenants.get(segmentBelow(issuer.place.tenantsPath, withoutWellKnown(path)) ?? "");
  return tenant?.isClosed ? undefined : tenant;
}

/** Finds the name of a new tenant in a path, if the profile has an issuer for every name. */
function findNewName(path: string, mock: RunningMock): string | undefined {
  const { profile, issuer, root } = mock;
  if (!profile.namesIssuers || root.isClosed) return undefined;
  const name = findIssuerName(path, issuer.place.tenantsPath, profile);
  if (name === undefined || listReserved(mock).includes(name)) return undefined;
  return findCovering(name, mock) === undefined ? name : undefined;
}

/** Names an API that would hide the endpoints of a tenant. */
function findCovering(name: string, { issuer, resources }: RunningMock): string | undefined {
  return resources.findCovering(`${issuer.place.tenantsPath}/${name}`);
}

function requireUncovered(name: string, mock: RunningMock): void {
  const api = findCovering(name, mock);
  if (api === undefined) return;
  throw new TypeError(
    `Cannot create tenant ${name}: ${api} answers at the paths of its endpoints. Choose another name`,
  );
}

/** Returns the names that would hide paths of the mock itself. */
function listReserved({ profile, issuer, options }: RunningMock): readonly string[] {
  const { ownName, tenantsPath } = issuer.place;
  const own = ownName === undefined ? listReservedNames(profile) : [ownName];
  return [...own, ...listDemoResourceNames(tenantsPath, pathOfDemoResource(options.demoResource))];
}

function requireTenantName(name: string, mock: RunningMock): void {
  const reserved = listReserved(mock);
  if (typeof name === "string" && issuerName.test(name) && !reserved.includes(name)) return;
  throw new TypeError(
    `A tenant cannot be called ${
      describeValue(name)
    }: expected up to 100 letters, digits, - and _, and none of the names ` +
      reserved.filter((segment) => /^\w/.test(segment)).join(", "),
  );
}

function describeRunning({ tenants }: RunningMock): RunningIssuers {
  return {
    // In memory, a record that a running request is about to write would be lost.
    isBusy: (name) => tenants.get(name)?.runningRequests.isBusy === true,
    // That loses nothing: a request begins it again, with the same keys.
    end: (name) => void tenants.get(name)?.tenant.close().catch(() => {}),
  };
}

/** Returns the records of a tenant that requests begin. */
function noteBegun({ begun, shared: { records } }: RunningMock): Records {
  return {
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
}
