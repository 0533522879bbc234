/** The schedule explorer: runs the real server in every order of its store calls and compares with sequential orders. */
import { AssertionError } from "@std/assert";
import { createHash } from "node:crypto";
import { type Entry, memoryStore, type ServerOptions, type Store, StoreUnavailable } from "../../src/mod.ts";
import { createWorld, type World } from "../world.ts";
import { describeAnswer, describeRemains, type Observed, type Outcome } from "./outcome.ts";
import { openMemory, type OpenRaceStore } from "./race_stores.ts";
import { type Call, watchStore } from "./watched_store.ts";

/** The sample key of RFC 8037 appendix A: EdDSA is fast on every runtime. */
export const fastKey: JsonWebKey = {
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};

/** What one contestant does, on its own server over the shared store. */
export type Contestant = (own: { readonly world: World; readonly store: Store }) => Promise<Response | void>;

export interface Race {
  readonly options?: ServerOptions;
  /** Prepares the records, which each schedule gets a copy of, and returns the contestants by name. */
  start(world: World, store: Store): Promise<Readonly<Record<string, Contestant>>>;
  /** Forgets what the contestants of the last schedule have noted outside of the store. */
  readonly beforeEach?: () => void;
  /** Asserts what must hold after every schedule, beside that it equals a sequential order. */
  readonly always?: (outcome: Outcome) => void;
  /** Removes from the comparison what may depend on the order. */
  readonly compared?: (outcome: Outcome) => Outcome;
  /** Breaks the shared store, to test that the explorer notices. */
  readonly breakStore?: (store: Store) => Store;
  /** Then only `always` is checked. */
  readonly anyOutcome?: true;
}

export interface ExploreOptions {
  /**
   * Skips schedules that only swap two neighbouring calls that do not affect each other (partial-order reduction).
   * Default: true.
   */
  readonly reduce?: boolean;
  /** Opens the store of each schedule. Default: in memory. The sequential orders are always played in memory. */
  readonly open?: OpenRaceStore;
  /**
   * Plays at most this many schedules, always the same ones. Each fork divides the number among its branches, so the
   * schedules differ from the first call on.
   */
  readonly most?: number;
}

export interface Exploration {
  readonly schedules: number;
  /** Schedules stopped early, because every way to continue them had been played. */
  readonly skipped: number;
  /** The distinct outcomes, as text. */
  readonly outcomes: ReadonlySet<string>;
}

/**
 * Plays every order of the contestants' store calls, or as many as the terms say. Throws at the first outcome that no
 * sequential order has.
 */
export async function explore(
  race: Race,
  { reduce = true, open = openMemory, most = Infinity }: ExploreOptions = {},
): Promise<Exploration> {
  const prepared = await findPrepared(race);
  const sequential = race.anyOutcome ? undefined : await findSequentialOrders(race, prepared);
  const outcomes = new Set<string>();
  const path: Fork[] = [];
  let schedules = 0, skipped = 0;
  do {
    let depth = 0;
    const played = await play(race, prepared, open, (ready) => {
      const fork = path[depth++];
      if (fork !== undefined) {
        requireSame(fork.ready, ready);
        return fork.open[0];
      }
      const opened = openFork(ready, path, { reduce, most });
      if (opened.open.length > 0) path.push(opened);
      return opened.open[0];
    });
    if (reduce && most === Infinity) openConflicts(path);
    if (played === undefined) {
      skipped++;
      continue;
    }
    schedules++;
    const { outcome, steps } = played;
    try {
      race.always?.(outcome);
    } catch (error) {
      throw new AssertionError(`${(error as Error).message}\n${formatSteps(steps, formatOutcome(outcome))}`, {
        cause: error,
      });
    }
    const text = formatCompared(race, outcome);
    outcomes.add(text);
    if (sequential?.has(text) === false) {
      const orders = [...sequential].map(([wanted, order]) => `\n${order}, one after another:\n${wanted}`);
      throw new AssertionError(
        `Schedule ${schedules} ends as no sequential order does:\n${formatSteps(steps, text)}${
          orders.join("")
        }`,
      );
    }
  } while (nextPath(path));
  return { schedules, skipped, outcomes };
}

type Ready = ReadonlyMap<string, Call>;

/** A point where several contestants can continue. */
interface Fork {
  readonly ready: Ready;
  /** The contestants still to be tried here: the first one now, each of the others in a later schedule. */
  open: readonly string[];
  /** The sleep set: contestants already tried first. Trying them later is new only after a call that affects theirs. */
  readonly asleep: readonly string[];
  /** The number of schedules that each branch may play. */
  readonly share: number;
}

type OpenForkOptions = Required<Pick<ExploreOptions, "most" | "reduce">>;

function openFork(ready: Ready, path: readonly Fork[], { reduce, most: mostOfAll }: OpenForkOptions): Fork {
  const last = path.at(-1);
  const asleep = reduce && last !== undefined
    ? last.asleep.filter((name) => !affects(last.ready.get(name)!, chosenCall(last)))
    : [];
  const awake = [...ready.keys()].filter((name) => !asleep.includes(name));
  const most = last?.share ?? mostOfAll;
  // `openConflicts` adds the others that make a difference.
  if (reduce && most === Infinity) return { ready, asleep, open: awake.slice(0, 1), share: most };
  // With too few schedules for all, another contestant is the first at each depth.
  const first = most < awake.length ? path.length % awake.length : 0;
  const open = [...awake.slice(first), ...awake.slice(0, first)].slice(0, most);
  return { ready, asleep, open, share: Math.max(1, Math.floor(most / open.length)) };
}

function chosenCall({ ready, open: [chosen] }: Fork): Call {
  return ready.get(chosen!)!;
}

function affects(one: Call, other: Call): boolean {
  const readsOnly = one.verb === "get" && other.verb === "get";
  return one.kind === other.kind && one.id === other.id && !readsOnly;
}

/**
 * Finds the calls of a schedule that affect a later call of another contestant, and opens their forks for an order in
 * which the later call comes first. This is dynamic partial-order reduction with source sets (Abdulla et al., 2014).
 */
function openConflicts(path: readonly Fork[]): void {
  /** For each call, the calls that must come before it. */
  const causes: Set<number>[] = [];
  for (const [index, { open: [name], ...fork }] of path.entries()) {
    const call = fork.ready.get(name!)!;
    const own = path.slice(0, index).findLastIndex(({ open }) => open[0] === name);
    const before = new Set(own < 0 ? [] : [own, ...causes[own]!]);
    const conflicts: number[] = [];
    for (let earlier = index - 1; earlier >= 0; earlier--) {
      if (before.has(earlier) || !affects(chosenCall(path[earlier]!), call)) continue;
      conflicts.push(earlier);
      for (const cause of [earlier, ...causes[earlier]!]) before.add(cause);
    }
    causes.push(before);
    for (const earlier of conflicts) {
      const conflicting = path[earlier]!;
      const firsts = findFirsts(earlier, index, causes).map((at) => path[at]!.open[0]!);
      const known = [...conflicting.asleep, ...conflicting.open];
      if (!firsts.some((first) => known.includes(first))) {
        conflicting.open = [...conflicting.open, firsts[0]!];
      }
    }
  }
}

/** The calls after `earlier` that can come before it, if those after it that need it are left out, up to `index`. */
function findFirsts(
  earlier: number,
  index: number,
  causes: readonly ReadonlySet<number>[],
): readonly number[] {
  const free: number[] = [index];
  for (let at = earlier + 1; at < index; at++) if (!causes[at]!.has(earlier)) free.push(at);
  return free.filter((at) => !free.some((other) => causes[at]!.has(other)));
}

/** Depth first: goes to the next choice of the deepest fork that has one left. */
function nextPath(path: Fork[]): boolean {
  for (let fork = path.pop(); fork !== undefined; fork = path.pop()) {
    const [tried, ...open] = fork.open;
    if (open.length === 0) continue;
    path.push({ ...fork, open, asleep: [...fork.asleep, tried!] });
    return true;
  }
  return false;
}

function requireSame(known: Ready, ready: Ready): void {
  const [wanted, found] = [known, ready].map((calls) =>
    [...calls].map(([name, { verb, kind, id }]) => `${name}: ${verb} ${kind} ${id}`).join(", ")
  );
  if (wanted !== found) {
    throw new Error(`A schedule does not repeat itself. First: ${wanted}; then: ${found}`);
  }
}

/** What all schedules of a race begin with. */
interface Prepared {
  readonly contestants: Readonly<Record<string, Contestant>>;
  readonly records: readonly (Entry<unknown> & { readonly kind: string; readonly id: string })[];
  readonly now: number;
}

/** A race is prepared once, although it is played over several stores. */
const preparedRaces = new WeakMap<Race, Promise<Prepared>>();

function findPrepared(race: Race): Promise<Prepared> {
  const known = preparedRaces.get(race) ?? prepare(race);
  preparedRaces.set(race, known);
  return known;
}

async function prepare({ options, start }: Race): Promise<Prepared> {
  const store = memoryStore();
  const world = openWorld("before", store, options);
  try {
    const contestants = await start(world, store);
    const records: Prepared["records"][number][] = [];
    for await (const kind of store.kinds!()) {
      for await (const record of store.list!({ name: kind })) records.push({ kind, ...record });
    }
    return { contestants, records, now: world.clock.now };
  } finally {
    await world.close();
    await store.close();
  }
}

type SequentialOrders = ReadonlyMap<string, string>;

/** They are played once for each race, although several stores are compared with them. */
const sequentialOrders = new WeakMap<Race, Promise<SequentialOrders>>();

function findSequentialOrders(race: Race, prepared: Prepared): Promise<SequentialOrders> {
  const known = sequentialOrders.get(race) ?? playSequentialOrders(race, prepared);
  sequentialOrders.set(race, known);
  return known;
}

/** The distinct outcomes of all sequential orders, each with the first order that leads to it. */
async function playSequentialOrders(
  { breakStore: _intact, ...race }: Race,
  prepared: Prepared,
): Promise<SequentialOrders> {
  const sequential = new Map<string, string>();
  for (const order of permutations(Object.keys(prepared.contestants))) {
    const played = await play(race, prepared, openMemory, (ready) => order.find((name) => ready.has(name)));
    const text = formatCompared(race, played!.outcome);
    if (!sequential.has(text)) sequential.set(text, order.join(", "));
  }
  return sequential;
}

function permutations(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length <= 1) return [names];
  return names.flatMap((first) =>
    permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest])
  );
}

interface Played {
  readonly outcome: Outcome;
  /** The store calls and the ends of contestants, one line each. */
  readonly steps: readonly string[];
}

const mostSteps = 500;

function openWorld(name: string, store: Store, options: ServerOptions | undefined): World {
  return createWorld({ alg: "EdDSA", signingKeys: [fastKey], ...options, store, random: seededRandom(name) });
}

/** Plays one schedule in a new store. `undefined`: it was stopped early, because `choose` chose no contestant. */
async function play(
  race: Race,
  { contestants, records, now }: Prepared,
  openStore: OpenRaceStore,
  choose: (ready: Ready) => string | undefined,
): Promise<Played | undefined> {
  race.beforeEach?.();
  const kinds = new Set(records.map(({ kind }) => kind));
  const { handles: [first, ...others], end } = openStore();
  const watch = (store: Store) =>
    watchStore(race.breakStore?.(store) ?? store, (call, perform) => {
      kinds.add(call.kind);
      return perform();
    });
  const shared = watch(first);
  const steps: string[] = [];
  const runners: Runner[] = [];
  try {
    for (const { kind, id, value, expiresAt } of records) {
      await first.put({ name: kind }, id, value, { expiresAt, now });
    }
    for (const [index, [name, contestant]] of Object.entries(contestants).entries()) {
      const own = others[index];
      const runner = createRunner(name, own === undefined ? shared : watch(own), steps);
      runners.push(runner);
      await runner.run(async () => {
        const world = openWorld(name, runner.store, race.options);
        try {
          const response = await contestant({ world, store: runner.store });
          return await describeAnswer(response ?? undefined, world.journal.at(-1));
        } catch (error) {
          return { answer: { threw: String(error) } };
        } finally {
          await world.close();
        }
      });
    }
    for (let ready = readyRunners(runners); ready.size > 0; ready = readyRunners(runners)) {
      if (steps.length > mostSteps) {
        throw new AssertionError(`No end after ${mostSteps} steps:\n${formatSteps(steps)}`);
      }
      const name = choose(ready);
      if (name === undefined) return undefined;
      await runners.find((runner) => runner.name === name)!.go();
    }
    const problems = runners.flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0) throw new Error(`${problems.join("\n")}\n${formatSteps(steps)}`);

    const observed = Object.fromEntries(runners.map(({ name, observed }) => [name, observed!]));
    const answers = Object.fromEntries(Object.entries(observed).map(([name, { answer }]) => [name, answer]));
    const left = await describeRemains({ store: first, now, kinds, observed });
    return { steps, outcome: { answers, left } };
  } finally {
    // No contestant runs on into the next schedule.
    await Promise.all(runners.map((runner) => runner.abandon()));
    await end();
  }
}

function readyRunners(runners: readonly Runner[]): Ready {
  return new Map(runners.flatMap(({ name, parked }) => parked === undefined ? [] : [[name, parked]]));
}

/** Runs one contestant, and stops it before each store call until it is told to go. */
interface Runner {
  readonly name: string;
  readonly store: Store;
  /** The call that is waiting. */
  readonly parked: Call | undefined;
  readonly observed: Observed | undefined;
  readonly problem: string | undefined;
  /** Starts the contestant. Resolves at its first store call or its end. */
  run(work: () => Promise<Observed>): Promise<void>;
  /** Lets the waiting call through. Resolves at the next store call or the end. */
  go(): Promise<void>;
  /** Makes all further store calls fail. Resolves when the contestant has ended. */
  abandon(): Promise<void>;
}

function createRunner(name: string, shared: Store, steps: string[]): Runner {
  let parked: { readonly call: Call; readonly release: () => void } | undefined;
  let observed: Observed | undefined;
  let problem: string | undefined;
  let abandoned = false;
  let ended: Promise<void> = Promise.resolve();
  let stopped = () => {};

  function untilStopped(start: () => void): Promise<void> {
    return new Promise((resolve) => {
      stopped = resolve;
      start();
    });
  }

  return {
    name,
    store: watchStore(shared, async (call, perform) => {
      if (parked !== undefined) {
        problem = `${name} makes two store calls at the same time, so their order is unknown`;
      }
      if (observed !== undefined) {
        problem = `${name} makes a store call after its answer: ${describeCall(call)}`;
      }
      if (abandoned) throw new StoreUnavailable("The race is over");
      if (problem !== undefined) return await perform();
      await new Promise<void>((release) => {
        parked = { call, release };
        stopped();
      });
      if (abandoned) throw new StoreUnavailable("The race is over");
      const result = await perform();
      steps.push(`${name}: ${describeCall(call)} → ${describeResult(call, result)}`);
      return result;
    }),
    get parked() {
      return parked?.call;
    },
    get observed() {
      return observed;
    },
    get problem() {
      return problem;
    },
    run: (work) =>
      untilStopped(() => {
        ended = work().then((found) => {
          observed = found;
          const { status, threw, error, reason } = found.answer;
          steps.push(`${name}: ends: ${[status, threw, error, reason].filter(Boolean).join(" ") || "done"}`);
          stopped();
        });
      }),
    go: () =>
      untilStopped(() => {
        const { release } = parked!;
        parked = undefined;
        release();
      }),
    abandon() {
      abandoned = true;
      parked?.release();
      parked = undefined;
      return ended;
    },
  };
}

function describeCall({ verb, kind, id, value, condition }: Call): string {
  const { status } = (value ?? {}) as { readonly status?: string };
  const what = `${verb} ${kind} ${id.slice(0, 6)}${status === undefined ? "" : ` as ${status}`}`;
  return condition === undefined ? what : `${what} if ${condition}`;
}

function describeResult({ verb }: Call, result: unknown): string {
  if (verb === "delete") return "done";
  if (result === undefined) return verb === "get" ? "none" : "lost";
  const { value } = result as { readonly value?: { readonly status?: string } };
  return verb === "get" ? value?.status ?? "found" : "written";
}

function formatSteps(steps: readonly string[], outcome?: string): string {
  const numbered = steps.map((step, index) => `  ${index + 1}. ${step}`).join("\n");
  return outcome === undefined ? numbered : `${numbered}\n${outcome}`;
}

/** One line for each answer and for each record that is left. */
export function formatOutcome({ answers, left }: Outcome): string {
  return [
    ...Object.entries(answers).map(([name, answer]) => `  ${name} is answered ${JSON.stringify(answer)}`),
    ...left.map((record) => `  left: ${JSON.stringify(record)}`),
  ].join("\n");
}

function formatCompared({ compared = (outcome) => outcome }: Race, outcome: Outcome): string {
  return formatOutcome(compared(outcome));
}

/** Makes the same bytes in every schedule, and different bytes for each name. */
export function seededRandom(name: string): (length: number) => Uint8Array {
  let count = 0;
  return (length) => {
    const blocks: Uint8Array[] = [];
    for (let made = 0; made < length; made += 32) {
      blocks.push(createHash("sha256").update(`${name} ${count++}`).digest());
    }
    return new Uint8Array(blocks.flatMap((block) => [...block]).slice(0, length));
  };
}
