/** The misbehaviours and look-alikes that are on: they act after the hooks of the test, and watch the requests. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import type { Acts, Misbehaviour } from "../../faults/misbehaviour.ts";
import { listVariants, type MisbehaviourName } from "../../faults/names.ts";
import { type Seen, toSeen } from "../../faults/seen.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { Members } from "../../../ground/values/members.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import {
  findSeams,
  type SeamContext,
  type SeamName,
  type Seams,
  type SeamValues,
  signingAnew,
} from "../../../server/oauth/contracts/seams.ts";
import {
  type ActiveMisbehaviour,
  type ActiveName,
  createActive,
  type MisbehaveTerms,
  type MisbehaviourSources,
} from "./active_misbehaviour.ts";
import { type Entries, loadEntries } from "./load_entries.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";

export interface ActiveList {
  /** Calls `onEnd` when it is switched off. The functions are loaded at the first use, and requests wait for them. */
  switchOn(name: ActiveName, terms: MisbehaveTerms, onEnd: () => void): ActiveMisbehaviour;
  /** Loads an entry of the catalogue without switching it on. The server has the fault only where the caller acts. */
  prepare(name: MisbehaviourName, variant: string | undefined): Promise<PreparedFault>;
  readonly active: readonly ActiveMisbehaviour[];
  /** Whether the other server has to answer: a misbehaviour or a look-alike is on, or a prepared fault names it. */
  readonly needsOtherServer: boolean;
  /** Resolves when the functions are loaded. `undefined`: there is nothing to wait for. */
  readonly loading: Promise<void> | undefined;
  /** The functions that judge the client. They are loaded together with those of the misbehaviours. */
  readonly judging: Pick<Entries, "judge" | "readThrown"> | undefined;
  changeOptions<Options extends Members>(options: Options): Options;
  changeClients(clients: readonly ClientMetadata[]): readonly ClientMetadata[];
  /** Returns the given seams with the misbehaviours after them. The seam `arrival` is `arrive`. */
  addTo(seams: Seams): Seams;
  arrive(
    value: SeamValues["arrival"],
    context: SeamContext,
  ): SeamValues["arrival"] | Promise<SeamValues["arrival"]>;
  /** Tells the verdicts about an answered request. */
  note(entry: JournalEntry, endpoint: string): void;
  clear(): void;
}

/** A fault that acts only where its caller acts. */
interface PreparedFault {
  readonly entry: Misbehaviour;
  readonly acts: Acts;
  /** Tokens that an API gets before the one with the fault. Empty until the fault has acted. */
  readonly first: readonly string[];
  /** Returns the requests since then that no correct client or API sends, until the list is cleared. */
  listProofs(): readonly Seen[];
  /** Returns the requests to the other server since then. */
  listCalls(): readonly Seen[];
}

const neverOff = new Promise<void>(() => {});

export function createActiveList(sources: MisbehaviourSources): ActiveList {
  const active = new Set<ActiveMisbehaviour>();
  const otherServer = createOtherServerCalls();
  let loaded: Entries | undefined;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    loaded = await loadEntries();
    loading = undefined;
    for (const each of active) start(each, loaded);
  }

  function start(each: ActiveMisbehaviour, { findEntry, createTools }: Entries): void {
    const entry = findEntry(each.name);
    const { switchedOff, variant } = each;
    each.start(entry, (faceIssuer) => createTools(sources, switchedOff, { variant, faceIssuer }));
    if (entry.settings !== undefined) sources.rebuild();
  }

  const actorsAt = (seam: SeamName) =>
    active.size === 0 ? [] : [...active].filter((each) => each.actsAt(seam));

  const list: Omit<ActiveList, "active" | "needsOtherServer" | "loading" | "judging"> = {
    switchOn(name, terms, onEnd) {
      const each = createActive(name, terms, () => {
        active.delete(each);
        onEnd();
        if (each.entry?.settings !== undefined) sources.rebuild();
      });
      active.add(each);
      if (loaded === undefined) loading ??= load();
      else start(each, loaded);
      return each;
    },
    prepare: (name, variant) => prepareFault(name, variant, sources, otherServer),
    changeOptions: (options) => changeOptions(options, [...active]),
    changeClients: (clients) => changeClients(clients, [...active]),
    addTo: (seams) => findSeams((seam) => compose(seams, seam, actorsAt(seam), sources)),
    arrive(value, context) {
      if (active.size === 0) return value;
      for (const each of active) each.watcher.arrived(context.exchange.id);
      const actors = actorsAt("arrival");
      if (actors.length === 0) return value;
      const needsClient = actors.some(({ terms: { client } }) => client !== undefined);
      const noted = needsClient ? sources.noteClient(context.exchange) : Promise.resolve();
      return noted.then(() => runAll("arrival", value, context, actors, sources));
    },
    note(entry, endpoint) {
      if (active.size === 0 && !otherServer.isFollowed()) return;
      const seen = toSeen(entry, endpoint);
      for (const each of active) each.watcher.left(seen);
      if (endpoint === "decoy") otherServer.note(seen);
    },
    clear() {
      otherServer.clear();
      for (const each of [...active]) each.end();
    },
  };
  return withGetters(list, {
    active: () => [...active],
    needsOtherServer: () => active.size > 0 || otherServer.isFollowed(),
    loading: () => loading,
    judging: () => loaded,
  });
}

async function prepareFault(
  name: MisbehaviourName,
  variant: string | undefined,
  sources: MisbehaviourSources,
  otherServer: OtherServerCalls,
): Promise<PreparedFault> {
  const { catalogue, createTools } = await loadEntries();
  const entry = catalogue.get(name)!;
  const { watch: { never }, api } = entry;
  const listCalls = never === undefined && !api?.namesOtherServer ? () => [] : otherServer.follow();
  const first: string[] = [];
  const sendFirst = (token: string) => void first.push(token);
  return {
    entry,
    first,
    acts: entry.acts(
      createTools(sources, neverOff, { variant: variant ?? listVariants(name)[0], sendFirst }),
    ),
    listCalls,
    listProofs() {
      const calls = listCalls();
      return calls.length === 0 ? [] : never?.(calls, []) ?? [];
    },
  };
}

/** Returns the hooks of the test at a seam, with the misbehaviours after them. */
function compose(
  seams: Seams,
  seam: SeamName,
  actors: readonly ActiveMisbehaviour[],
  sources: MisbehaviourSources,
): unknown {
  const before = seams[seam] as ((value: unknown, context: SeamContext) => unknown) | undefined;
  if (actors.length === 0) return before;
  const composed = async (value: never, context: SeamContext) => {
    const hooked = before === undefined ? value : await before(value, context) as never;
    return await runAll(seam, hooked, context, actors, sources);
  };
  const [actor] = actors;
  // Others may read the signature.
  return before === undefined && actors.length === 1
    ? signingAnew(composed, (token) => actor!.signsAnew(token))
    : composed;
}

async function runAll<N extends SeamName>(
  seam: N,
  value: SeamValues[N],
  context: SeamContext,
  actors: readonly ActiveMisbehaviour[],
  sources: MisbehaviourSources,
): Promise<SeamValues[N]> {
  let current = value;
  for (const each of actors) current = await each.run(seam, current, context, sources);
  return current;
}

function changeOptions<Options extends Members>(
  options: Options,
  active: readonly ActiveMisbehaviour[],
): Options {
  const changes = active.flatMap(({ entry }) => Object.entries(entry?.settings?.server ?? {}));
  return changes.reduce((changed, [name, value]) => {
    const before = Reflect.get(changed, name);
    const isMerged = isJsonObject(before) && isJsonObject(value);
    return { ...changed, [name]: isMerged ? { ...before, ...value } : value };
  }, options);
}

function changeClients(
  clients: readonly ClientMetadata[],
  active: readonly ActiveMisbehaviour[],
): readonly ClientMetadata[] {
  const changing = active.filter(({ entry }) => entry?.settings?.client !== undefined);
  return changing.length === 0 ? clients : clients.map((client) => {
    const { client_id: id } = client;
    const here = changing.filter(({ terms }) => terms.client === undefined || terms.client === id);
    return Object.assign({ ...client }, ...here.map(({ entry }) => entry?.settings?.client));
  });
}

// Only the last calls matter, and the server may run for long.
const mostOtherServerCalls = 100;

interface OtherServerCalls {
  /** Whether a prepared fault names the other server. */
  isFollowed(): boolean;
  /** Returns a function that lists the calls since then, until they are cleared. */
  follow(): () => readonly Seen[];
  note(call: Seen): void;
  clear(): void;
}

function createOtherServerCalls(): OtherServerCalls {
  /** Absent: no prepared fault has named the other server. */
  let last: readonly Seen[] | undefined;
  let count = 0;
  return {
    isFollowed: () => last !== undefined,
    follow() {
      last ??= [];
      const before = count;
      return () => count === before ? [] : last?.slice(before - count) ?? [];
    },
    note(call) {
      if (last === undefined) return;
      count += 1;
      last = [...last, call].slice(-mostOtherServerCalls);
    },
    clear() {
      last = undefined;
    },
  };
}
