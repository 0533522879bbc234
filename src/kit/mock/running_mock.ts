/** A mock while it runs, with what its tenants have in common. */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import type { PathProfile } from "../../server/oauth/contracts/paths.ts";
import type { Frame } from "../../server/pages/pages_options.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../server/setup/configuration.ts";
import type { BegunIssuers } from "./begun_issuers.ts";
import type { ClockState } from "./conditions/clock.ts";
import type { OtherServer } from "./misbehaving/other_server.ts";
import type { Apis, OwnOrigins, ServingFetch } from "./network/fetch.ts";
import type { Interceptions } from "./network/interceptions.ts";
import type { MovableIssuer } from "./network/movable_issuer.ts";
import type { Ports } from "./network/ports.ts";
import type { Resources } from "./resources/resources.ts";
import type { RunningTenant, TenantTerms } from "./running_tenant.ts";
import type { KeptRecord } from "./server/records.ts";
import type { Tenant } from "./tenant.ts";
import type { MockOptions } from "./terms/mock_options.ts";
import type { WorkloadPlatform } from "./workloads/names.ts";
import type { RunningPlatform } from "./workloads/workload.ts";

/**
 * Owns the tenants of a mock, its ports, its APIs, and the hosts that it answers for. `close` of the mock ends it, with all of
 * them. As calls of the mock are functions that take this record, `Public` is the type of the object that has them.
 */
export interface RunningMock<Public = unknown> {
  readonly mock: Public;
  readonly options: MockOptions;
  readonly profile: PathProfile;
  readonly issuer: MovableIssuer;

  /** The mock itself, as one authorization server. */
  readonly root: RunningTenant<Tenant>;
  /** The others, by name. Includes closed tenants that still have a running request. */
  readonly tenants: Map<string, RunningTenant<Tenant>>;
  /** What each tenant gets. A tenant inherits the options that it does not set itself. */
  readonly shared: Omit<TenantTerms, "name" | "issuer">;
  /** The tenants that requests have begun. */
  readonly begun: BegunIssuers;
  readonly platforms: Map<WorkloadPlatform, RunningPlatform>;
  readonly snapshots: WeakMap<Snapshot, SnapshotContent>;

  /** The APIs of the test. All tenants share them, because a request does not say which tenant it means. */
  readonly resources: Resources;
  /** The server that misbehaviours send clients to. */
  readonly otherServer: OtherServer;
  /** The APIs and the other server, which have other origins or other paths. */
  readonly apis: Apis;
  readonly fetching: ServingFetch;
  readonly interceptions: Interceptions;
  readonly ownOrigins: OwnOrigins;
  readonly ports: Ports;
  dashboard: MockDashboard | undefined;

  /** Finds the tenant at a path that is not closed. Returns the mock itself if there is none. */
  at(path: string): RunningTenant<Tenant>;
  /**
   * Finds the open tenant that looks like the provider with this origin. Each way on which requests come decides by this
   * which of the provider's are for the mock: `fetch`, `dispatcher`, interceptions, MSW, windows, the worker, the proxy.
   */
  providerAt(origin: string): RunningTenant<Tenant> | undefined;
  partsOf(tenant: Tenant): RunningTenant<Tenant>;
  /**
   * Makes a snapshot of the content of another one, and creates the tenants that are missing. Throws if people or clients
   * are not right.
   */
  adopt(content: SnapshotContent): Snapshot;
  /** Throws if the mock is closed, or if other processes may have the same records. */
  requireOwnRecords(doing: string): void;
  /** Adds a dashboard. Throws if the mock is closed, or has one. The result removes the dashboard. */
  attach(dashboard: MockDashboard): () => void;
}

interface MockDashboard {
  /** Answers the requests to its pages. Returns `undefined` for any other request. */
  answer(request: IncomingRequest): Promise<Answer> | undefined;
  frame(tenant: RunningTenant<Tenant>): Promise<Frame>;
  close(): Promise<void> | void;
}

/** What a snapshot keeps of a tenant. */
export interface TenantState {
  readonly people: readonly PersonConfiguration[];
  readonly clients: readonly ClientMetadata[];
  /** The secrets of these clients stand in no file. */
  readonly registered?: ReadonlyMap<string, ClientMetadata>;
  readonly clock: ClockState;
  readonly records: readonly KeptRecord[];
}

/** What `as.snapshot` has kept. Only the same mock can restore it. */
export interface Snapshot {
  /** The time of the mock's clock, in seconds since 1970. */
  readonly at: number;
}

/** By the name of the tenant. The mock itself has an empty name, and comes first. */
export type SnapshotContent = ReadonlyMap<string, TenantState>;
