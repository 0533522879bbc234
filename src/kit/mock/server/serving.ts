/**
 * The servers of a tenant: starts the first one, replaces it, finds the one with a face, and closes them all. A change of
 * options keeps the store, and a reset opens an empty one.
 */

import { withGetters } from "../../../ground/values/with_getters.ts";
import type { AssembledServer } from "../../../server/server.ts";
import type { Store } from "../../../server/store/store.ts";
import { remember } from "../../../ground/values/remember.ts";
import { present } from "../../../ground/values/present.ts";
import { keepUntilSettled } from "../../../ground/values/until_settled.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { loadEntries } from "../misbehaving/load_entries.ts";
import type { Face } from "../provider/face.ts";
import type { RunningTenant, ServerState } from "../running_tenant.ts";
import type { MockOptions } from "../terms/mock_options.ts";
import { assembleOver } from "./assemble_server.ts";
import { describeTenant, explainSetUp } from "./tenant_name.ts";
import { createTestKeySource } from "./test_keys.ts";

/** Returns what a tenant serves with before it starts. */
export function createServing(find: () => RunningTenant): RunningTenant["serving"] {
  // The start opens the state.
  const serving = { faces: new Map(), isStopped: false } as RunningTenant["serving"];
  return withGetters(serving, {
    current: () => serving.made ??= assembleOver(serving.state, undefined, find()),
  });
}

/**
 * Opens the state, and makes the first server. A tenant whose options are those of its mock makes it at its first use:
 * its options are right, and it takes most of the time and memory of a tenant.
 */
export function startServer(running: RunningTenant, usual: MockOptions): void {
  const { serving, terms: { options, name } } = running;
  try {
    serving.state = openState(running);
    if (name === "" || options !== usual) serving.made = assembleOver(serving.state, undefined, running);
  } catch (error) {
    throw explainSetUp(error, describeTenant(name));
  }
}

function openState(
  { terms: { name, records, random, options: { seed: seedOfMock, signingKeys } } }: RunningTenant,
): ServerState {
  const seed = seedOfMock === undefined || name === "" ? seedOfMock : `${seedOfMock} ${name}`;
  return {
    store: records.open(name),
    random: seed === undefined ? random : createSeededRandom(seed),
    ...present({ keySource: records.areLasting ? undefined : createTestKeySource(seed, signingKeys) }),
  };
}

/**
 * Applies changed people, clients or issuer. Requests that already run keep the old ones. Throws and keeps the server if it
 * cannot have them.
 */
export function rebuild(running: RunningTenant): void {
  running.requireOpen();
  const next = assembleOver(running.serving.state, undefined, running);
  keepUntilSettled(closeCurrent(running), running.retired);
  running.serving.made = next;
}

/**
 * Opens another store, which is empty unless it is a lasting one. Over a store in memory, the first use makes the server: a
 * tenant that is removed is reset before, and needs no other one. Over a lasting store, the new server reads its keys
 * immediately, and so deletes the records of the old one.
 */
export function replaceState(running: RunningTenant): void {
  const state = openState(running);
  const next = running.terms.records.areLasting ? assembleOver(state, undefined, running) : undefined;
  replaceWith(state, next, running);
}

/** Goes on with another store, and the same options and random source. */
export function replaceStore(store: Store, running: RunningTenant): void {
  const state = { ...running.serving.state, store };
  replaceWith(state, assembleOver(state, undefined, running), running);
}

function replaceWith(state: ServerState, next: AssembledServer | undefined, running: RunningTenant): void {
  // close() does not wait for requests that started before a reset, but for the keys that are being loaded.
  for (const { services } of listCurrent(running)) keepUntilSettled(services.keys.settled(), running.loading);
  void closeCurrent(running);
  running.retired.clear();
  // Requests that started before the reset must not write into records of the same store.
  void running.serving.state.store.close();
  Object.assign(running.serving, { state, made: next });
}

/** Closes the current server and waits for its requests, also for those of servers that `rebuild` has replaced. */
export async function closeServers(running: RunningTenant): Promise<void> {
  await Promise.all([closeCurrent(running), ...running.retired, ...running.loading]);
}

function closeCurrent(running: RunningTenant): Promise<unknown> {
  const closing = listCurrent(running).map(({ server }) => server.close());
  running.serving.faces = new Map();
  return Promise.all(closing);
}

/** Rotates the keys, also at each face. */
export async function rotateKeys(terms: { readonly atOnce: boolean }, running: RunningTenant): Promise<void> {
  const { current, faces } = running.serving;
  for (const { server } of [current, ...faces.values()]) await server.rotateKeys(terms);
}

function listCurrent({ serving: { made, faces } }: RunningTenant): readonly AssembledServer[] {
  return [...(made === undefined ? [] : [made]), ...faces.values()];
}

/** Returns the server with the current options and state that has this face. Without a face, it answers as itself. */
export function serverFor(face: Face | undefined, running: RunningTenant): AssembledServer {
  const { serving, serving: { faces, state } } = running;
  return face === undefined
    ? serving.current
    : remember(faces, face, () => assembleOver(state, face, running));
}

/** Returns `undefined` for an origin that is not one of a provider for which this tenant answers. */
export function findFace(origin: string, running: RunningTenant): Promise<Face> | undefined {
  const { terms: { claimedHosts }, name, loadedFaces } = running;
  const claimed = claimedHosts.find(origin);
  if (claimed?.tenant !== name) return undefined;
  const load = async () => {
    const { createFace } = await loadEntries();
    return createFace(claimed, () => running.services.settings.reservedForTests);
  };
  return remember(loadedFaces, claimed, load);
}
