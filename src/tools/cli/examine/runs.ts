/** Runs a test command against a fresh server on its own port: without a fault, or with one. */

import { catalogue } from "../../../kit/faults/catalogue.ts";
import { type Phase, phases } from "../../../kit/faults/misbehaviour.ts";
import { type MisbehaviourName, misbehaviourNames } from "../../../kit/faults/names.ts";
import type { Need } from "../../../kit/faults/needs.ts";
import { hideSecrets } from "../../../kit/examine/card/hide_secrets.ts";
import { recordSeen } from "../../../kit/mock/journal/record_seen.ts";
import {
  findFailure,
  findRightFailure,
  runControl,
  runOnce,
  runWrong,
} from "../../../kit/examine/control_run.ts";
import { judgeRightRun, type RightJudgement, runRightPatiently } from "../../../kit/examine/right_run.ts";
import type { LaterFailure } from "../../../kit/examine/right_again.ts";
import { createRowRuns, type RowRuns } from "../../../kit/examine/row_runs.ts";
import { createWorld, forTwo, type World } from "../../../kit/examine/scenario.ts";
import type { MockOptions } from "../../../kit/mock/terms/mock_options.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { CommandError } from "../terminal/command_error.ts";
import { present } from "../../../ground/values/present.ts";
import { personScopes } from "../client/usual_scope.ts";
import { type CommandEnd, runCommand } from "./run_command.ts";

/** What is the same in every run. */
export interface Runs {
  readonly command: readonly string[];
  readonly configuration: Configuration;
  /** What the client does according to the user. */
  readonly does: readonly Need[];
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
  /** The command refreshes for two callers at the same time, so the server accepts a refresh token twice. */
  readonly isForTwo?: boolean;
}

/** Two, because the exit code means something only if the command passes both times. */
export type RightRuns = readonly [CommandRun, CommandRun];

/** A run of the command in which the server was right. */
export interface CommandRun extends RightJudgement {
  /** In seconds. */
  readonly duration: number;
  readonly isForTwo: boolean;
  readonly account?: string;
}

/** Throws a `CommandError` with what the server has refused if the command fails before a login. */
export async function runCommandRight(runs: Runs, within: number = aDay): Promise<CommandRun> {
  const run = await runRightPatiently(async ({ isForTwo }) => {
    const startedAt = performance.now();
    return await inWorld(undefined, "login", { ...runs, isForTwo }, async (world, start) => {
      if (isForTwo) world.as.delay("token", "100ms");
      let account: string | undefined;
      const error = await findFailure(start().then((end) => void (account = end.account)), within);
      const duration = (performance.now() - startedAt) / 1000;
      return { ...judgeRightRun(world, phases, error), ...present({ account }), duration };
    });
  });
  const { problem, error, phases: reached } = run;
  const failure = problem !== undefined ? `. ${problem}` : error !== undefined ? `: ${error}` : undefined;
  if (failure === undefined || reached.includes("login")) return run;
  throw new CommandError(
    `the command fails although the server is right, so nothing can be examined${failure}`,
  );
}

const aDay = 86_400;

/** Returns the phases that the command has in both runs. */
export function listPhases([first, second]: RightRuns): readonly Phase[] {
  return second.phases.filter((phase) => first.phases.includes(phase));
}

/** `error` is the first line of the command's error. */
export async function findLaterFailure(
  phase: Phase,
  within: number,
  runs: Runs,
  [{ seen: usual }]: RightRuns,
): Promise<LaterFailure | undefined> {
  return await inWorld(undefined, phase, runs, async (world, start) => {
    const failure = await findRightFailure(world, start(), within, usual);
    return failure && { ...failure, ...present({ error: failure.error?.split("\n")[0] }) };
  });
}

/** Returns the run in which the command tried something, and did not finish it. */
export function findFailed(runs: RightRuns): CommandRun | undefined {
  return runs.find(({ problem }) => problem !== undefined);
}

/** `within` is the limit of a run in seconds. */
export function createCommandRuns(
  rightRuns: RightRuns,
  { within, jobs, isThorough }: {
    readonly within: number;
    readonly jobs: number;
    readonly isThorough: boolean;
  },
  runs: Runs,
): RowRuns {
  const [first, second] = rightRuns;
  const found = listPhases(rightRuns);
  const { problem, unfinished = [], error } = findFailed(rightRuns) ?? {};
  const inWorldOf = <T>(name: MisbehaviourName, work: Parameters<typeof inWorld<T>>[3]) =>
    inWorld(name, catalogue.get(name)!.phase, runs, work);
  const runLogin = async () =>
    runs.signal.aborted
      ? { seen: [] }
      : await inWorld(undefined, "login", runs, (world, start) => runOnce(world, start, within));
  return createRowRuns({
    does: runs.does,
    usualRuns: rightRuns.map(({ seen }) => seen),
    // One exit code is about all phases.
    rightRunOf: (phase) => ({
      seen: second.seen,
      hasPhase: error === undefined && found.includes(phase),
      ...present({ problem: error !== undefined || unfinished.includes(phase) ? problem : undefined }),
      shows: second.account === undefined ? [] : ["account"],
    }),
    ...present({ runLogin: isThorough ? runLogin : undefined }),
    jobs,
    // The command does not learn the name.
    nameless: { seen: first.seen },
    runRight: (name) => inWorldOf(name, (world, start) => runControl(name, world, start, within)),
    runWrong: (name, run) =>
      inWorldOf(name, (world, start) => runWrong(name, world, start, { ...run, within })),
  });
}

/** `work` starts the command. */
async function inWorld<T>(
  name: MisbehaviourName | undefined,
  phase: Phase,
  { command, configuration, signal: interrupted, isForTwo = false }: Runs,
  work: (world: World, start: () => Promise<CommandEnd>) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, interrupted]);
  const number = name === undefined ? 0 : misbehaviourNames.indexOf(name) + 1;
  const usual = createOptions(name, configuration);
  const options = isForTwo ? forTwo(usual) : usual;
  const world = await createWorld({ name, phase, number, options, listens: true, signal });
  let running: Promise<CommandEnd> | undefined;
  const env = { ...world.as.env(), OAUTH_SCOPE: personScopes.join(" "), OAUTH_RESOURCE: world.scenario.api };
  const runSafely = () =>
    runCommand(command, { env, signal }).catch((error: Error) => {
      // Its output may quote a token, also where no card shows the requests of this run.
      error.message = hideSecrets(error.message, world.listSeen().map(recordSeen));
      throw error;
    });
  try {
    return await work(world, () => running = runSafely());
  } finally {
    ending.abort();
    // The command may still use the server while it ends.
    await running?.catch(() => {});
    await world[Symbol.asyncDispose]();
  }
}

/** Without a configuration file, the server accepts any client, as `postern start` does. */
function createOptions(name: MisbehaviourName | undefined, configuration: Configuration): MockOptions {
  const { issuer: _issuer, login, clients, ...others } = configuration;
  return {
    seed: `examine ${name}`,
    // The requests of the server to the client, such as logout tokens.
    fetch: globalThis.fetch,
    clients: clients ?? usualClients,
    firstUse: clients === undefined,
    ...others,
    login: typeof login === "string" && login.startsWith("auto") ? login : "auto",
  };
}

/** A redirect URI on this machine may have any port. */
const usualClients = [{
  client_id: "my-app",
  redirect_uris: ["http://localhost:3000/callback", "http://127.0.0.1:3000/callback"],
}];
