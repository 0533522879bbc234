/** What the mock of a service worker has beside its records, kept in the store, because browsers end idle workers. */

import type { LookAlikeName } from "../../../kit/faults/look_alikes/providers.ts";
import type { MisbehaviourName } from "../../../kit/faults/names.ts";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import { unpackEntry } from "../../../kit/mock/journal/packed_entry.ts";
import { rebuild } from "../../../kit/mock/server/serving.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import type { EndpointName } from "../../../kit/mock/endpoints.ts";
import type { ClockState } from "../../../kit/mock/conditions/clock.ts";
import type { MisbehaveTerms } from "../../../kit/mock/misbehaving/active_misbehaviour.ts";
import type { LookLikeTerms } from "../../../kit/mock/misbehaving/look_like.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import { type Kind, never, type Store } from "../../../server/store/store.ts";
import { present } from "../../../ground/values/present.ts";

interface KeptState {
  readonly people: readonly PersonConfiguration[];
  readonly clients: readonly ClientMetadata[];
  readonly clock: ClockState;
  readonly misbehaviours: readonly { readonly name: MisbehaviourName; readonly terms: MisbehaveTerms }[];
  readonly lookAlikes: readonly { readonly name: LookAlikeName; readonly terms: LookLikeTerms }[];
}

interface KeptExchange {
  readonly entry: JournalEntry;
  readonly endpoint: EndpointName;
}

const states: Kind<KeptState> = { name: "state" };
const exchanges: Kind<KeptExchange> = { name: "exchange" };
const forever = { now: 0, expiresAt: never };

/** The mock itself has 10,000. A worker reads them at each of its starts. */
const mostExchanges = 300;

export interface StateKeeper {
  /** Writes what has changed. */
  save(): Promise<void>;
}

/** Restores what an earlier worker has kept, and returns what keeps it from now on. */
export async function restoreState(running: RunningTenant<Tenant>, store: Store): Promise<StateKeeper> {
  const { recorder } = running;
  const kept = await store.get(states, "", 0);
  if (kept !== undefined) applyState(kept.value, running);
  for await (const { value: { entry, endpoint } } of store.list!(exchanges)) {
    recorder.write(entry, { endpoint, isLost: false });
  }
  let [state, written] = [JSON.stringify(readState(running)), recorder.written];
  // A restart must not give an old exchange the id of a new one.
  let [last, first] = await findEnds(store);
  let saving: Promise<void> = Promise.resolve();

  async function save(): Promise<void> {
    const next = readState(running);
    const text = JSON.stringify(next);
    if (text !== state) await store.put(states, "", next, forever);
    state = text;
    const fresh = recorder.kept.slice(Math.max(0, recorder.kept.length - (recorder.written - written)));
    written = recorder.written;
    const isCleared = recorder.kept.length === fresh.length;
    for (const { entry, endpoint } of fresh) {
      await store.put(exchanges, nameExchange(++last), { entry: unpackEntry(entry), endpoint }, forever);
    }
    const oldest = isCleared ? last - fresh.length + 1 : last - mostExchanges + 1;
    for (; first < oldest; first++) await store.delete(exchanges, nameExchange(first));
  }

  return { save: () => saving = saving.catch(() => {}).then(save) };
}

export async function forgetState(store: Store): Promise<void> {
  await store.delete(states, "");
}

async function findEnds(store: Store): Promise<[last: number, first: number]> {
  const numbers: number[] = [];
  for await (const { id } of store.list!(exchanges)) numbers.push(Number(id));
  return [numbers.at(-1) ?? 0, numbers[0] ?? 1];
}

function nameExchange(number: number): string {
  return `${number}`.padStart(12, "0");
}

function readState({ tenant, conditions, switchedOn }: RunningTenant<Tenant>): KeptState {
  return {
    people: tenant.people.all,
    clients: tenant.clients.all,
    clock: conditions.clock.state,
    misbehaviours: switchedOn.misbehaviours.map(({ terms, misbehaving: { name, count } }) => ({
      name,
      terms: { ...terms, ...present({ times: terms.times === undefined ? undefined : terms.times - count }) },
    })).filter(({ terms: { times = 1 } }) => times > 0),
    lookAlikes: switchedOn.lookAlikes.map(({ terms, looking: { name } }) => ({ name, terms })),
  };
}

function applyState(
  { people, clients, clock, misbehaviours, lookAlikes }: KeptState,
  running: RunningTenant<Tenant>,
): void {
  const { tenant, directories, conditions, switchedOn } = running;
  // In their order, because the first of them is meant where a call names none.
  directories.people.restore(people);
  directories.clients.restore(clients);
  try {
    rebuild(running);
  } catch (error) {
    // A later server takes no entry that this one refuses.
    for (const each of [directories.people, directories.clients]) each.restore();
    throw error;
  }
  conditions.clock.reset(clock);
  // Those of the options may have been switched off.
  for (const { misbehaving } of [...switchedOn.misbehaviours]) misbehaving[Symbol.dispose]();
  for (const { looking } of [...switchedOn.lookAlikes]) looking[Symbol.dispose]();
  for (const { name, terms } of lookAlikes) tenant.lookLike(name, terms);
  for (const { name, terms } of misbehaviours) tenant.misbehave(name, terms);
}
