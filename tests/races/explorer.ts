/** The schedule explorer: runs the real server in every order of its store calls and compares with sequential orders. */
import { AssertionError } from "@std/assert";
import { createHash } from "node:crypto";
import { type ServerOptions, type Store, StoreUnavailable } from "../../src/mod.ts";
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
  /** Prepares a fresh world for the race and returns the contestants by name. */
  start(world: World, store: Store): Promise<Readonly<Record<string, Contestant>>>;
  /** Asserts what must hold after every schedule, beside that it equals a sequential order. */
  readonly always?: (outcome: Outcome) => void;
  /** Removes from the comparison what may depend on the order. */
  readonly compared?: (outcome: Outcome) => Outcome;
  /** Breaks the shared store, to test that the explorer notices. */
  readonly breakStore?: (store: Store) => Store;
  /** Wraps one contestant's store, to make its calls fail. Then only `always` is checked. */
  readonly faults?: (name: string, store: Store) => Store;
}

export interface ExploreTerms {
  /** More schedules than this fail the test, because the ones left out would prove nothing. */
  readonly limit?: number;
  /**
   * Skips schedules that only swap two neighbouring calls that do not affect each other (partial-order reduction).
   * Default: only with more than two contestants.
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
  { limit = 5000, reduce, open = openMemory, most = Infinity }: ExploreTerms = {},
): Promise<Exploration> {
  const sequential = race.faults === undefined ? await findSequentialOrders(race) : undefined;
  const outcomes = new Set<string>();
  const path: Fork[] = [];
  let schedules = 0, skipped = 0;
  do {
    if (schedules + skipped >= limit) throw new AssertionError(`There are more than ${limit} schedules`);
    let depth = 0;
    const played = await play(race, open, (ready) => {
      const reducing = reduce ?? (path[0]?.ready ?? ready).size > 2;
      const last = path[depth - 1];
      const fork = path[depth] ?? openFork(ready, reducing ? last : undefined, last?.share ?? most, depth);
      path[depth++] = fork;
      requireSame(fork.ready, ready);
      return fork.open[0];
    });
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
  readonly open: readonly string[];
  /** The sleep set: contestants already tried first. Trying them later is new only after a call that affects theirs. */
  readonly asleep: readonly string[];
  /** The number of schedules that each branch may play. */
  readonly share: number;
}

function openFork(ready: Ready, last: Fork | undefined, most: number, depth: number): Fork {
  const chosen = last?.open[0];
  const asleep = last?.asleep.filter((name) => !affects(last.ready.get(name)!, last.ready.get(chosen!)!)) ??
    [];
  const awake = [...ready.keys()].filter((name) => !asleep.includes(name));
  // With too few schedules for all, another contestant is the first at each depth.
  const first = most < awake.length ? depth % awake.length : 0;
  const open = [...awake.slice(first), ...awake.slice(0, first)].slice(0, most);
  return { ready, asleep, open, share: Math.max(1, Math.floor(most / open.length)) };
}

function affects(one: Call, other: Call): boolean {
  const readsOnly = one.verb === "get" && other.verb === "get";
  return one.kind === other.kind && one.id === other.id && !readsOnly;
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

type SequentialOrders = ReadonlyMap<string, string>;

/** They are played once for each race, although several stores are compared with them. */
const sequentialOrders = new WeakMap<Race, Promise<SequentialOrders>>();

function findSequentialOrders(race: Race): Promise<SequentialOrders> {
  const known = sequentialOrders.get(race) ?? playSequentialOrders(race);
  sequentialOrders.set(race, known);
  return known;
}

/** The distinct outcomes of all sequential orders, each with the first order that leads to it. */
async function playSequentialOrders(
  { breakStore: _intact, ...race }: Race,
): Promise<SequentialOrders> {
  const sequential = new Map<string, string>();
  const names: string[] = [];
  await play(race, openMemory, (ready) => {
    names.push(...[...ready.keys()].filter((name) => !names.includes(name)));
    return [...ready.keys()][0];
  });
  for (const order of permutations(names)) {
    const played = await play(race, openMemory, (ready) => order.find((name) => ready.has(name)));
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

/** Plays one schedule in a new world. `undefined`: it was stopped early, because `choose` chose no contestant. */
async function play(
  race: Race,
  openStore: OpenRaceStore,
  choose: (ready: Ready) => string | undefined,
): Promise<Played | undefined> {
  const kinds = new Set<string>();
  const { handles: [first, ...others], end } = openStore();
  const watch = (store: Store) =>
    watchStore(race.breakStore?.(store) ?? store, (call, perform) => {
      kinds.add(call.kind);
      return perform();
    });
  const shared = watch(first);
  const open = (name: string, store: Store) =>
    createWorld({ alg: "EdDSA", signingKeys: [fastKey], ...race.options, store, random: seededRandom(name) });
  const before = open("before", shared);
  const steps: string[] = [];
  const runners: Runner[] = [];
  try {
    for (const [index, [name, contestant]] of Object.entries(await race.start(before, shared)).entries()) {
      const own = others[index];
      const runner = createRunner(name, own === undefined ? shared : watch(own), steps);
      runners.push(runner);
      const store = race.faults?.(name, runner.store) ?? runner.store;
      await runner.run(async () => {
        const world = open(name, store);
        try {
          const response = await contestant({ world, store });
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
    const left = await describeRemains({ store: first, now: before.clock.now, kinds, observed });
    return { steps, outcome: { answers, left } };
  } finally {
    // No contestant runs on into the next schedule.
    await Promise.all(runners.map((runner) => runner.abandon()));
    await before.close();
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
