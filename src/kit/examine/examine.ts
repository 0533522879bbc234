/** Examines a client: runs it once for each misbehaviour, and writes a card of what it noticed. */

import types from "../../../static/other_terms.json" with { type: "json" };
import { catalogue } from "../faults/catalogue.ts";
import { chooseForClients } from "../faults/choose.ts";
import { type Level, type Phase, phases as allPhases } from "../faults/misbehaviour.ts";
import { type Area, type MisbehaviourName, misbehaviourNames } from "../faults/names.ts";
import { listNeverSent, type Need, type UsualParameter } from "../faults/needs.ts";
import { describeRuntime } from "../../server/runtime/runtime_name.ts";
import type { Mock } from "../mock/mock.ts";
import { requireTerms } from "../mock/terms/known_options.ts";
import { requireFunction } from "../mock/terms/wrong_term.ts";
import type { MockOptions } from "../mock/terms/mock_options.ts";
import type { SourceLine } from "./card/source_lines.ts";
import { readAccount } from "./compare_accounts.ts";
import { type CardRow, describeRow } from "./card_row.ts";
import {
  type ControlRun,
  findFailure,
  findRightFailure,
  runControl,
  runOnce,
  runWrong,
} from "./control_run.ts";
import { judgeRightRun, type RightJudgement, type RightTry, runRightPatiently } from "./right_run.ts";
import { createRightAgain, joinProblems, type LaterFailure } from "./right_again.ts";
import { createRowRuns, type RightRun, type RowRunTerms } from "./row_runs.ts";
import { createWorld, forTwo, type Scenario, type World, type WorldTerms } from "./scenario.ts";
import { present } from "../../ground/values/present.ts";
import { sideBySide } from "../../ground/values/side_by_side.ts";

export type { CardRow } from "./card_row.ts";

/** What to examine, and how. */
export interface ExamineTerms {
  /**
   * Runs the client once. Resolves if the client has succeeded, and rejects if it has refused. Resolves to an object with
   * the id of the account, `{ account }`, if the application has accounts and keeps them between the runs.
   */
  readonly client: (as: Mock, scenario: Scenario) => Promise<unknown>;
  /** Names of misbehaviours or of areas. Default: all. */
  readonly only?: readonly (MisbehaviourName | Area)[];
  /** The levels of the misbehaviours. Default: all. */
  readonly level?: Level | readonly Level[];
  /** The options of each mock. The first client in them is the examined one. Default: a public client, `app`. */
  readonly options?: MockOptions;
  /** Opens a port for each run, for a client that does not use `as.fetch`. Default: false. */
  readonly listen?: boolean;
  /** The seed. Each run gets the seed with the name of its misbehaviour. Default: `examine`. */
  readonly seed?: string | number;
  /** The time for one run, in seconds of real time. Default: 3. @exclusiveMinimum 0 */
  readonly within?: number;
  /** How many runs are at the same time. Default: 4. @asType integer @minimum 1 */
  readonly jobs?: number;
  /** What the client does although its requests do not show it. */
  readonly does?: readonly Need[];
  /** Counts the chance in the state, nonce and code_verifier of a thousand more logins. Default: false. */
  readonly thorough?: boolean;
}

/** The result of an examination. */
export interface Card {
  /** The runtime whose `fetch` the client has used, for example `node 20.20.2`. Absent: the client ran elsewhere. */
  readonly runtime?: string;
  /** The phases that the client has, by its run without a fault. */
  readonly phases: readonly Phase[];
  /** The phases that the client tries, and does not finish although the server is right. `problem` says why. */
  readonly unfinished?: readonly Phase[];
  /** The parameters that no login of the client has. Absent: its requests do not show that. */
  readonly neverSends?: readonly UsualParameter[];
  /**
   * Says what failed if the client failed although the server was right: in one of its phases, or later. Then this is what
   * to mend first. After a later failure, no verdict can be trusted.
   */
  readonly problem?: string;
  /** The line that called `examine` or `examineApi`, for SARIF. A file of the card does not have it. */
  readonly driver?: SourceLine;
  readonly rows: readonly CardRow[];
}

export async function examine(terms: ExamineTerms): Promise<Card> {
  const doing = "examine a client";
  requireTerms(doing, terms, types.ExamineTerms);
  requireFunction(doing, terms.client, "a function as client, which runs the client once");
  const { only, level: levels, jobs = usualJobs } = terms;
  const names = chooseForClients({ only, levels }, `Cannot ${doing}`);
  const wantedPhases = [...new Set(names.map((name) => catalogue.get(name)!.phase))];
  const rightRuns = await findPhases(wantedPhases, terms);
  const isForTwo = [...rightRuns.values()].some((run) => run.isForTwo);
  const rowTerms = isForTwo ? { ...terms, options: forTwo(terms.options ?? {}) } : terms;
  const runs = createRowRuns({
    does: [],
    ...terms,
    rightRunOf: (phase) => rightRuns.get(phase)!,
    usualRuns: [...rightRuns.values()].map(({ seen }) => seen),
    ...runsOf(rowTerms),
    ...present({ runLogin: terms.thorough ? (index: number) => runLogin(index, rowTerms) : undefined }),
    jobs,
  });
  const rightAgain = createRightAgain(createLaterRuns(rowTerms, rightRuns));
  const judge = async (name: MisbehaviourName) => {
    const row = describeRow(name, await runs.run(name));
    if (!runs.isDecided(name)) await rightAgain.after(row);
    return row;
  };
  const found = [
    ...await sideBySide(names.filter((name) => !runs.isAlone(name)), judge, jobs),
    ...await sideBySide(names.filter(runs.isAlone), judge, 1),
  ];
  const rows = found.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
  const problems = [...[...rightRuns.values()].map(({ problem }) => problem), await rightAgain.atEnd()];
  const unfinished = [...rightRuns].flatMap(([phase, { problem }]) => problem === undefined ? [] : [phase]);
  const neverSends = listNeverSent([...rightRuns.values()].flatMap(({ seen }) => seen));
  return {
    runtime: describeRuntime(),
    phases: [...rightRuns].flatMap(([phase, { hasPhase }]) => hasPhase ? [phase] : []),
    ...present({
      unfinished: unfinished.length === 0 ? undefined : unfinished,
      neverSends,
      problem: joinProblems(problems),
    }),
    rows,
  };
}

const usualJobs = 4;

function createLaterRuns(
  terms: ExamineTerms,
  rightRuns: ReadonlyMap<Phase, PhaseRun>,
): (phase: Phase) => Promise<LaterFailure | undefined> {
  const { client, within = 3 } = terms;
  let number = misbehaviourNames.length + allPhases.length;
  return (phase) =>
    inWorld(
      { name: undefined, phase, number: ++number },
      terms,
      (world) =>
        findRightFailure(world, client(world.as, world.scenario), within, rightRuns.get(phase)!.seen),
    );
}

function runsOf(terms: ExamineTerms): Pick<RowRunTerms, "runRight" | "runWrong"> {
  const { client, within = 3 } = terms;
  return {
    runRight: (name) =>
      inWorld(
        worldOf(name),
        terms,
        (world) => runControl(name, world, () => client(world.as, world.scenario), within),
      ),
    runWrong: (name, { index, ...run }) =>
      inWorld(
        worldOf(name, index),
        terms,
        (world) => {
          const start = (username?: string) =>
            client(world.as, username === undefined ? world.scenario : world.scenarioOf(username));
          return runWrong(name, world, start, { ...run, within });
        },
      ),
  };
}

/** The numbers count down from the end of the usual worlds, where no other run is. */
async function runLogin(
  index: number,
  { client, within = 3, ...terms }: ExamineTerms,
): Promise<ControlRun> {
  return await inWorld(
    { name: undefined, phase: "login", number: mostWorlds - index },
    { client, ...terms },
    (world) => runOnce(world, () => client(world.as, world.scenario), within),
  );
}

interface PhaseRun extends RightRun {
  readonly isForTwo: boolean;
}

/** Tries each phase. Throws if the login of the client fails, because then no verdict would mean anything. */
async function findPhases(
  wanted: readonly Phase[],
  terms: ExamineTerms,
): Promise<ReadonlyMap<Phase, PhaseRun>> {
  const phases = [...new Set<Phase>(["login", ...wanted])];
  const found = await sideBySide(phases, async (phase) => {
    const run = await runRightPatiently((how) => runPhase(phase, how, terms));
    return [phase, { ...run, hasPhase: run.problem === undefined && run.phases.includes(phase) }] as const;
  }, terms.jobs ?? usualJobs);
  const [, { hasPhase, problem, thrown, error = "it redeemed no authorization code" }] = found[0]!;
  if (hasPhase) return new Map(found);
  // No run may outlive this one, so it waits for all of them.
  const because = problem ?? `The client fails before it logs in, although the server is right: ${error}`;
  throw new Error(`Cannot examine the client. ${because}`, { cause: thrown });
}

interface EndedPhase extends RightJudgement {
  readonly shows: readonly Need[];
  /** What the client threw. */
  readonly thrown?: unknown;
}

async function runPhase(
  phase: Phase,
  { attempt, isForTwo }: RightTry,
  { client, within = 3, ...terms }: ExamineTerms,
): Promise<EndedPhase> {
  const number = misbehaviourNames.length + (attempt + 1) * mostWorlds + allPhases.indexOf(phase) + 1;
  const options = isForTwo ? forTwo(terms.options ?? {}) : terms.options;
  return await inWorld(
    { name: undefined, phase, number },
    { client, ...terms, ...present({ options }) },
    async (world) => {
      if (isForTwo) world.as.delay("token", "100ms");
      let thrown: unknown;
      let account: string | undefined;
      const run = client(world.as, world.scenario).then(
        (ended) => void (account = readAccount(ended)),
        (error) => {
          thrown = error;
          throw error;
        },
      );
      // A program loads its libraries in its first run.
      const error = await findFailure(run, firstRunTakes * within);
      const shows: readonly Need[] = [
        ...account === undefined ? [] : ["account" as const],
        ...world.hasVisited ? ["pages" as const] : [],
      ];
      return { ...judgeRightRun(world, [phase], error), shows, thrown };
    },
  );
}

const firstRunTakes = 3;

/** The clients of some applications keep what they learn about an issuer, so each run has another one. */
function worldOf(name: MisbehaviourName, variant = 0): Pick<WorldTerms, "name" | "phase" | "number"> {
  const number = misbehaviourNames.indexOf(name) + 1 + variant * mostWorlds;
  return { name, phase: catalogue.get(name)!.phase, number };
}

// More than the misbehaviours and all other runs.
const mostWorlds = 10_000;

async function inWorld<T>(
  { name, phase, number }: Pick<WorldTerms, "name" | "phase" | "number">,
  { options = {}, listen: listens = false, seed = "examine" }: ExamineTerms,
  work: (world: World) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const { signal } = ending;
  const world = await createWorld({
    name,
    phase,
    number,
    listens,
    signal,
    options: { seed: `${seed} ${name ?? phase}`, ...options },
  });
  try {
    return await work(world);
  } finally {
    ending.abort();
    await world[Symbol.asyncDispose]();
  }
}
