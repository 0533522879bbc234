/** Creates what a mock consists of: its issuer, APIs, ports and hosts, and the mock itself as its first tenant. */

import { createRandomBytes } from "../../ground/crypto/bytes.ts";
import { fromRequest } from "../../ground/http/message.ts";
import { fixedPath } from "../../ground/http/router.ts";
import { assetsPath, findProfile } from "../../server/oauth/contracts/paths.ts";
import { pathOf } from "../../server/oauth/requests/server_urls.ts";
import { findOriginInside } from "../faults/names.ts";
import { createBegunIssuers } from "./begun_issuers.ts";
import { createTenant } from "./create_tenant.ts";
import { createOtherServer, type OtherServer } from "./misbehaving/other_server.ts";
import { type Apis, createFetch, type OwnOrigins } from "./network/fetch.ts";
import { createInterceptions, type Interceptions } from "./network/interceptions.ts";
import { createMovableIssuer, type MovableIssuer } from "./network/movable_issuer.ts";
import { createPorts } from "./network/ports.ts";
import { createClaimedHosts } from "./provider/claimed_hosts.ts";
import { createResources, type Resources } from "./resources/resources.ts";
import { routeAnyRequest, routeRequest } from "./route_request.ts";
import type { RunningMock } from "./running_mock.ts";
import type { RunningTenant, TenantTerms } from "./running_tenant.ts";
import { type Records, recordsInMemory } from "./server/records.ts";
import { isTestKey } from "./server/test_keys.ts";
import { adoptSnapshot, requireOwnRecords } from "./snapshots.ts";
import { findOpen, findProvider, listAll, listOpen } from "./tenants.ts";
import type { MockOptions } from "./terms/mock_options.ts";

/** What a mock is made from beside its options. */
export interface RunningMockTerms
  extends Pick<TenantTerms, "demoClients" | "isReached" | "likeHost" | "savedPeople"> {
  /** The origins at which a proxy in front of the mock answers. Absent: there is none. */
  readonly proxied?: readonly string[] | undefined;
  /** Real time in seconds, which no test turns. By it, tenants end that requests began and that have no records. */
  readonly now?: () => number;
  /** `ownName` is the name of the mock itself, if its issuer is beside those of its tenants. Default: in memory. */
  readonly createRecords?: (ownName: string | undefined) => Records;
}

const usualIssuer = "https://as.test";

export function createRunningMock(options: MockOptions, start: RunningMockTerms): RunningMock {
  const mock = gatherMock(options, start);
  const { shared, issuer } = mock;
  return Object.assign(mock, { root: createTenant({ ...shared, name: "", issuer: () => issuer.url }, mock) });
}

function gatherMock(
  options: MockOptions,
  { createRecords = () => recordsInMemory, now = () => Date.now() / 1000, proxied, ...started }:
    RunningMockTerms,
): RunningMock {
  const find = () => mock;
  const profile = findProfile(options.paths);
  const { issuerPath = "", namesIssuers = false } = profile;
  const issuer = createMovableIssuer(options.issuer ?? usualIssuer + issuerPath, namesIssuers);
  const interceptions = createInterceptions();
  const claimedHosts = createClaimedHosts(
    (origin) => origin === issuer.place.origin || options.also?.includes(origin) === true,
    interceptions.requireFree,
  );
  const ownOrigins = createOwnOrigins(find);
  const reached = createReached(options, { issuer, interceptions, ownOrigins, proxied }, find);
  const parts: Omit<RunningMock, "root" | "mock"> = {
    options,
    profile,
    issuer,
    tenants: new Map(),
    shared: {
      ...started,
      options,
      claimedHosts,
      random: createRandomBytes(),
      records: createRecords(namesIssuers ? issuer.place.ownName ?? "" : undefined),
      findKeys: (url) => publishesKeys(url, mock) ? reached.fetching.fetch : undefined,
    },
    begun: createBegunIssuers(now),
    platforms: new Map(),
    snapshots: new WeakMap(),
    interceptions,
    ownOrigins,
    ...reached,
    dashboard: undefined,
    at: (path) => findOpen(path, mock) ?? mock.root,
    providerAt: (origin) => findProvider(origin, mock),
    partsOf: (tenant) => listAll(mock).find((each) => each.tenant === tenant) ?? mock.root,
    adopt: (content) => adoptSnapshot(content, mock),
    requireOwnRecords: (doing) => requireOwnRecords(doing, mock),
    attach: (dashboard) => attach(dashboard, mock),
  };
  // The other members are made of these.
  const mock = parts as RunningMock;
  return mock;
}

/** Creates what requests reach beside the tenants, and the ways on which they come. */
function createReached(
  options: MockOptions,
  { issuer, interceptions, ownOrigins, proxied }: Pick<RunningMockTerms, "proxied"> & {
    readonly issuer: MovableIssuer;
    readonly interceptions: Interceptions;
    readonly ownOrigins: OwnOrigins;
  },
  find: () => RunningMock,
) {
  const issuerOrigin = () => issuer.place.origin;
  const resources = createResources({
    issuerOrigin,
    otherOrigins: options.also ?? [],
    proxied,
    findRoot: () => find().root,
    findServer: (url) => listOpen(find()).find(({ tenant }) => tenant.issuer === url),
    findProvider: (origin) => find().providerAt(origin),
    findServed: (isWanted) => listOpen(find()).flatMap(listPaths).find(isWanted),
    requireFree: interceptions.requireFree,
  });
  const otherServer = createOtherServer({
    issuerOrigin,
    isOn: () => listOpen(find()).some(({ activeList }) => activeList.needsOtherServer),
    services: () => find().root.services,
    note(entry) {
      for (const { activeList } of listOpen(find())) activeList.note(entry, "decoy");
    },
  });
  const apis = joinApis(resources, otherServer);
  const answer: RunningTenant["answer"] = (request) => routeRequest(request, find());
  const fetching = createFetch({
    ownOrigins,
    answer,
    apis,
    fetchOther: (request) => (options.fetch ?? globalThis.fetch)(request),
  });
  const ports = createPorts({
    answer,
    answerAny: (request) => routeAnyRequest(request, find()),
    signsWithTestKeys: options.signingKeys?.some(isTestKey) ?? true,
    requireOpen: () => find().root.requireOpen(),
  });
  return { resources, otherServer, apis, fetching, ports };
}

/** Lets `fetch` answer for the other server, too. */
function joinApis(resources: Resources, otherServer: OtherServer): Apis {
  const answer = (request: Request) => otherServer.answer(fromRequest(request, undefined));
  return {
    get origins() {
      if (!otherServer.isOn) return resources.origins;
      const inside = [...resources.origins].map((each) => findOriginInside(each, otherServer.url));
      return new Set([
        ...resources.origins,
        ...otherServer.origins,
        ...inside.filter((each) => each !== undefined),
      ]);
    },
    find: (address, method) => otherServer.owns(address) ? { answer } : resources.find(address, method),
  };
}

/** Whether the URL has the keys of the mock or of one of its tenants, which then trust one another without a network. */
function publishesKeys({ origin, pathname }: URL, mock: RunningMock): boolean {
  return listOpen(mock).some(({ services: { slots, settings } }) =>
    origin === new URL(settings.issuer).origin &&
    slots.endpoints.some((endpoint) =>
      endpoint.metadataName === "jwks_uri" && pathOf(endpoint, settings) === pathname
    )
  );
}

function listPaths({ services: { slots, settings } }: RunningTenant): readonly string[] {
  return [...slots.endpoints, { path: assetsPath }].map((endpoint) => fixedPath(pathOf(endpoint, settings)));
}

function attach(dashboard: NonNullable<RunningMock["dashboard"]>, mock: RunningMock): () => void {
  mock.root.requireOpen();
  if (mock.dashboard !== undefined) throw new Error("The mock has a dashboard already");
  mock.dashboard = dashboard;
  return () => mock.dashboard = undefined;
}

/** The origins of which every request is for the mock. Its `fetch`, its dispatcher and its interceptions ask here. */
function createOwnOrigins(find: () => RunningMock): OwnOrigins {
  const listUsual = ({ issuer, options }: RunningMock) => [issuer.place.origin, ...options.also ?? []];
  return {
    has: (origin) =>
      listUsual(find()).includes(origin) || find().providerAt(origin) !== undefined ||
      listOtherPorts(find()).includes(origin),
    get all() {
      const mock = find();
      return [...listUsual(mock), ...listOtherPorts(mock), ...mock.shared.claimedHosts.origins];
    },
  };
}

function listOtherPorts(mock: RunningMock): readonly string[] {
  return listOpen(mock).flatMap(({ services: { settings: { otherPort } } }) =>
    otherPort === undefined ? [] : [...otherPort.urls.values()].map((url) => new URL(url).origin)
  );
}
