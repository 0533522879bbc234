/** The schedule explorer: the real engine through every order of its store calls, each held against sequential orders. */
import { AssertionError } from "@std/assert";
import { createHash } from "node:crypto";
import { memoryStore, type ServerOptions, type Store, StoreUnavailable } from "../../src/mod.ts";
import { createWorld, type World } from "../world.ts";
import { describeAnswer, describeRemains, type Heard, type Outcome } from "./outcome.ts";
import { type Call, watchStore } from "./watched_store.ts";

/** RFC 8037 appendix A: everybody's sample key, of the algorithm that is fast everywhere. */
export const fastKey: JsonWebKey = {
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};

/** What one contestant does, on a server of its own over the store of all. */
export type Contestant = (own: { readonly world: World; readonly store: Store }) => Promise<Response | void>;

export interface Race {
  readonly options?: ServerOptions;
  /** Brings a fresh world to where the race starts, and says who runs. */
  start(world: World, store: Store): Promise<Readonly<Record<string, Contestant>>>;
  /** What must hold after every schedule, beyond its being like a sequential order. */
  readonly always?: (outcome: Outcome) => void;
  /** Leaves out of the comparison what may depend on the order. */
  readonly compared?: (outcome: Outcome) => Outcome;
  /** Between the contestants and the one memory store: a broken one, to see that it is found out. */
  readonly through?: (store: Store) => Store;
  /** Between one contestant and its store, to make its calls fail. Then only `always` is asked. */
  readonly faults?: (name: string, store: Store) => Store;
}

export interface ExploreTerms {
  /** Hitting it is a failure: schedules that nobody looked at prove nothing. */
  readonly limit?: number;
  /**
   * Leaves out schedules that differ from another only in two neighbours that cannot notice each other. Default: with
   * more than two contestants.
   */
  readonly reduce?: boolean;
}

export interface Exploration {
  readonly schedules: number;
  /** Schedules broken off, because all they could still become had been seen. */
  readonly skipped: number;
  /** The different outcomes, as text. */
  readonly outcomes: ReadonlySet<string>;
}

/** Plays every order of the contestants' store calls. Throws at the first that no sequential order explains. */
export async function explore(
  race: Race,
  { limit = 5000, reduce }: ExploreTerms = {},
): Promise<Exploration> {
  const lawful = race.faults === undefined ? await playInTurn(race) : undefined;
  const outcomes = new Set<string>();
  const path: Fork[] = [];
  let schedules = 0, skipped = 0;
  do {
    if (schedules + skipped >= limit) throw new AssertionError(`There are more than ${limit} schedules`);
    let depth = 0;
    const played = await play(race, (ready) => {
      const reducing = reduce ?? (path[0]?.ready ?? ready).size > 2;
      const fork = path[depth] ?? openFork(ready, reducing ? path[depth - 1] : undefined);
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
      throw new AssertionError(`${(error as Error).message}\n${tell(steps, write(outcome))}`, {
        cause: error,
      });
    }
    const text = writeComparable(race, outcome);
    outcomes.add(text);
    if (lawful?.has(text) === false) {
      const orders = [...lawful].map(([wanted, order]) => `\n${order}, one after another:\n${wanted}`);
      throw new AssertionError(
        `Schedule ${schedules} ends as no sequential order does:\n${tell(steps, text)}${orders.join("")}`,
      );
    }
  } while (turn(path));
  return { schedules, skipped, outcomes };
}

type Ready = ReadonlyMap<string, Call>;

/** A point where several contestants can go on. */
interface Fork {
  readonly ready: Ready;
  /** Whom to let go: the first now, the others when all that can follow has been seen. */
  readonly open: readonly string[];
  /** Whose going first has been seen: their going later is new only when somebody has touched what they touch. */
  readonly asleep: readonly string[];
}

function openFork(ready: Ready, last: Fork | undefined): Fork {
  const chosen = last?.open[0];
  const asleep = last?.asleep.filter((name) => !canNotice(last.ready.get(name)!, last.ready.get(chosen!)!)) ??
    [];
  return { ready, asleep, open: [...ready.keys()].filter((name) => !asleep.includes(name)) };
}

function canNotice(one: Call, other: Call): boolean {
  const looksOnly = one.verb === "get" && other.verb === "get";
  return one.kind === other.kind && one.id === other.id && !looksOnly;
}

/** Depth first: to the next choice at the deepest fork that has one. */
function turn(path: Fork[]): boolean {
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

/** The outcome of each sequential order, with the first order that leads to it. */
async function playInTurn({ through: _broken, ...race }: Race): Promise<ReadonlyMap<string, string>> {
  const lawful = new Map<string, string>();
  const names: string[] = [];
  await play(race, (ready) => {
    names.push(...[...ready.keys()].filter((name) => !names.includes(name)));
    return [...ready.keys()][0];
  });
  for (const order of permutations(names)) {
    const played = await play(race, (ready) => order.find((name) => ready.has(name)));
    const text = writeComparable(race, played!.outcome);
    if (!lawful.has(text)) lawful.set(text, order.join(", "));
  }
  return lawful;
}

function permutations(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length <= 1) return [names];
  return names.flatMap((first) =>
    permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest])
  );
}

interface Played {
  readonly outcome: Outcome;
  /** What happened, a line each. */
  readonly steps: readonly string[];
}

const mostSteps = 200;

/** One schedule in a world of its own. `undefined`: it was broken off, because nobody was chosen. */
async function play(race: Race, choose: (ready: Ready) => string | undefined): Promise<Played | undefined> {
  const kinds = new Set<string>();
  const memory = memoryStore();
  const shared = watchStore(race.through?.(memory) ?? memory, (call, perform) => {
    kinds.add(call.kind);
    return perform();
  });
  const open = (name: string, store: Store) =>
    createWorld({ alg: "EdDSA", signingKeys: [fastKey], ...race.options, store, random: seededRandom(name) });
  const before = open("before", shared);
  const steps: string[] = [];
  const runners: Runner[] = [];
  try {
    for (const [name, contestant] of Object.entries(await race.start(before, shared))) {
      const runner = createRunner(name, shared, steps);
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
    for (let ready = whoIsReady(runners); ready.size > 0; ready = whoIsReady(runners)) {
      if (steps.length > mostSteps) {
        throw new AssertionError(`No end after ${mostSteps} steps:\n${tell(steps)}`);
      }
      const name = choose(ready);
      if (name === undefined) return undefined;
      await runners.find((runner) => runner.name === name)!.go();
    }
    const problems = runners.flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0) throw new Error(`${problems.join("\n")}\n${tell(steps)}`);

    const heard = Object.fromEntries(runners.map(({ name, heard }) => [name, heard!]));
    const answers = Object.fromEntries(Object.entries(heard).map(([name, { answer }]) => [name, answer]));
    const left = await describeRemains({ store: memory, now: before.clock.now, kinds, heard });
    return { steps, outcome: { answers, left } };
  } finally {
    // Nobody runs on into the next schedule.
    await Promise.all(runners.map((runner) => runner.abandon()));
    await before.close();
    await memory.close();
  }
}

function whoIsReady(runners: readonly Runner[]): Ready {
  return new Map(runners.flatMap(({ name, parked }) => parked === undefined ? [] : [[name, parked]]));
}

/** Somebody who stops before each store call and waits to be let go. */
interface Runner {
  readonly name: string;
  readonly store: Store;
  /** The call that waits. */
  readonly parked: Call | undefined;
  readonly heard: Heard | undefined;
  readonly problem: string | undefined;
  /** Both resolve at the next store call, or at the end. */
  run(work: () => Promise<Heard>): Promise<void>;
  go(): Promise<void>;
  /** Whatever it still asks of the store fails. Resolves when it has ended. */
  abandon(): Promise<void>;
}

function createRunner(name: string, shared: Store, steps: string[]): Runner {
  let parked: { readonly call: Call; readonly release: () => void } | undefined;
  let heard: Heard | undefined;
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
      if (parked !== undefined) problem = `${name} makes two store calls at once: which of them goes first?`;
      if (heard !== undefined) problem = `${name} makes a store call after its answer: ${describeCall(call)}`;
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
    get heard() {
      return heard;
    },
    get problem() {
      return problem;
    },
    run: (work) =>
      untilStopped(() => {
        ended = work().then((found) => {
          heard = found;
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

function tell(steps: readonly string[], outcome?: string): string {
  const numbered = steps.map((step, index) => `  ${index + 1}. ${step}`).join("\n");
  return outcome === undefined ? numbered : `${numbered}\n${outcome}`;
}

/** A line for each answer and for each record that is left. */
function write({ answers, left }: Outcome): string {
  return [
    ...Object.entries(answers).map(([name, answer]) => `  ${name} is answered ${JSON.stringify(answer)}`),
    ...left.map((record) => `  left: ${JSON.stringify(record)}`),
  ].join("\n");
}

function writeComparable({ compared = (outcome) => outcome }: Race, outcome: Outcome): string {
  return write(compared(outcome));
}

/** The same octets in every schedule, and for nobody else. */
function seededRandom(name: string): (length: number) => Uint8Array {
  let count = 0;
  return (length) => {
    const blocks: Uint8Array[] = [];
    for (let made = 0; made < length; made += 32) {
      blocks.push(createHash("sha256").update(`${name} ${count++}`).digest());
    }
    return new Uint8Array(blocks.flatMap((block) => [...block]).slice(0, length));
  };
}
