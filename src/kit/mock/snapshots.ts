/** Snapshots of a mock and its tenants, to which a test returns. Only the command line writes their content to a file. */

import { describeValue } from "../../ground/schema/received.ts";
import type { RunningMock, Snapshot, SnapshotContent, TenantState } from "./running_mock.ts";
import type { RunningTenant } from "./running_tenant.ts";
import { requireFit } from "./server/assemble_server.ts";
import { readRecords } from "./server/records.ts";
import { replaceStore } from "./server/serving.ts";
import { listAll, listOpen, obtainTenant } from "./tenants.ts";
import { WrongTerm } from "./terms/wrong_term.ts";

// Records are read again if a request has begun meanwhile, because it may have changed some of them.
const mostReads = 10;

export async function takeSnapshot(mock: RunningMock): Promise<Snapshot> {
  const doing = "take a snapshot";
  requireOwnRecords(doing, mock);
  for (let reads = 0; reads < mostReads; reads++) {
    await waitForRequests(doing, mock);
    const before = countBegun(mock);
    // The mock itself comes first, because restoring its records deletes those of its tenants.
    const read = listOpen(mock).map(async (each) => [each.name, await readState(each)] as const);
    const states = new Map(await Promise.all(read));
    if (countBegun(mock) !== before) continue;
    for (const each of listOpen(mock)) each.keep();
    return keep(states, mock);
  }
  throw new Error(`Cannot ${doing}, because requests come all the time`);
}

export async function restoreSnapshot(snapshot: Snapshot, mock: RunningMock): Promise<void> {
  const doing = "restore a snapshot";
  requireOwnRecords(doing, mock);
  const states = mock.snapshots.get(snapshot);
  if (states === undefined) {
    throw new WrongTerm(doing, "one that this mock has taken", describeValue(snapshot));
  }
  const restoring: (() => void)[] = [];
  for (const [name, state] of states) {
    const running = listOpen(mock).find((each) => each.name === name);
    if (running === undefined) {
      throw new Error(`Cannot ${doing}: the tenant ${name} is closed. Create it first`);
    }
    restoring.push(await prepareState(state, running));
  }
  await waitForRequests(doing, mock);
  requireOwnRecords(doing, mock);
  // Nothing waits from here on, so that each request meets all of the old state or all of the new one.
  for (const restore of restoring) restore();
  for (const { name, tenant } of listOpen(mock)) if (!states.has(name)) tenant.reset();
}

export function adoptSnapshot(content: SnapshotContent, mock: RunningMock): Snapshot {
  for (const name of content.keys()) if (name !== "") obtainTenant(name, {}, mock);
  for (const running of listOpen(mock)) {
    const state = content.get(running.name);
    if (state !== undefined) requireFit(state, running);
  }
  return keep(content, mock);
}

export function requireOwnRecords(doing: string, { root, shared: { records } }: RunningMock): void {
  root.requireOpen();
  if (!records.areShared) return;
  throw new Error(
    `Cannot ${doing}: other processes may use the same store, and would go on with their own records. Use ` +
      "a store in memory or SQLite",
  );
}

function keep(content: SnapshotContent, { root, snapshots }: RunningMock): Snapshot {
  const snapshot: Snapshot = Object.freeze({ at: root.clock.now });
  snapshots.set(snapshot, content);
  return snapshot;
}

function countBegun(mock: RunningMock): number {
  return listAll(mock).reduce((sum, { runningRequests }) => sum + runningRequests.begun, 0);
}

/** Resolves when no request is running. */
async function waitForRequests(doing: string, mock: RunningMock): Promise<void> {
  while (listOpen(mock).some(({ runningRequests }) => runningRequests.isBusy)) {
    for (const each of listOpen(mock)) await each.runningRequests.finish(doing);
  }
}

async function readState(running: RunningTenant): Promise<TenantState> {
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
async function prepareState(kept: TenantState, running: RunningTenant): Promise<() => void> {
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
