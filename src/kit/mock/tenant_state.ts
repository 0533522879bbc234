/** What a snapshot keeps of a tenant. */

import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../server/setup/configuration.ts";
import type { ClockState } from "./conditions/clock.ts";
import type { RunningTenant } from "./running_tenant.ts";
import { type KeptRecord, readRecords } from "./server/records.ts";
import { replaceStore } from "./server/replace_server.ts";

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

export async function readState(running: RunningTenant): Promise<TenantState> {
  const { directories: { people, clients }, registered, conditions, serving: { state } } = running;
  return {
    people: people.all,
    clients: clients.all,
    registered: new Map(registered),
    clock: conditions.clock.state,
    records: await readRecords(state.store),
  };
}

/** Returns a function that restores the state at once. */
export async function prepareState(kept: TenantState, running: RunningTenant): Promise<() => void> {
  const { terms: { records }, name, directories: { people, clients } } = running;
  const { registered, conditions, recorder } = running;
  const open = await records.prepare(name, kept.records);
  return () => {
    people.restore(kept.people);
    clients.restore(kept.clients);
    registered.clear();
    for (const [id, client] of kept.registered ?? []) registered.set(id, client);
    conditions.clock.reset(kept.clock);
    replaceStore(open(), running);
    recorder.wake();
  };
}
