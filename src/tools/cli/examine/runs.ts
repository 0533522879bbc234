/** Runs a test command against a fresh server on its own port: without a fault, or with one. */

import { catalogue } from "../../../kit/faults/catalogue.ts";
import { type Phase, phases } from "../../../kit/faults/misbehaviour.ts";
import { type MisbehaviourName, misbehaviourNames } from "../../../kit/faults/names.ts";
import type { Need } from "../../../kit/faults/needs.ts";
import type { Seen } from "../../../kit/faults/seen.ts";
import { hideSecrets } from "../../../kit/examine/card/kept_card.ts";
import { recordSeen } from "../../../kit/mock/journal/record_seen.ts";
import { findRightFailure, runControl, runWrong } from "../../../kit/examine/control_run.ts";
import { createRowRuns, type RowRuns } from "../../../kit/examine/row_runs.ts";
import { createWorld, type World } from "../../../kit/examine/scenario.ts";
import type { MockOptions } from "../../../kit/mock/terms/mock_options.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { CommandError } from "../terminal/command_error.ts";
import { personScopes } from "../client/usual_scope.ts";
import { runCommand } from "./run_command.ts";

/** What is the same in every run. */
export interface Runs {
  readonly command: readonly string[];
  readonly configuration: Configuration;
  /** What the client does according to the user. */
  readonly does: readonly Need[];
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

/** Two, because the exit code means something only if the command passes both times. */
export type RightRuns = readonly [CommandRun, CommandRun];

/** A run of the command in which the server was right. */
export interface CommandRun {
  readonly phases: readonly Phase[];
  /** In seconds. */
  readonly duration: number;
  readonly seen: readonly Seen[];
}

/** Throws a `CommandError` with what the server has refused if the command fails. */
export async function runCommandRight(runs: Runs): Promise<CommandRun> {
  const startedAt = performance.now();
  return await inWorld(undefined, "login", runs, async ({ hasReached, listSeen, explainRefused }, start) => {
    await start().catch((cause: Error) => {
      const lines = [cause.message, ...[explainRefused() ?? []].flat()].join("\n");
      const problem = "the command fails although the server is right, so nothing can be examined";
      // The name is the exit code of the command.
      throw new CommandError(`${problem} (${cause.name}):\n${lines}`, { cause });
    });
    const duration = (performance.now() - startedAt) / 1000;
    return { phases: phases.filter(hasReached), duration, seen: listSeen() };
  });
}

/** Returns the phases that the command has in both runs. */
export function listPhases([first, second]: RightRuns): readonly Phase[] {
  return second.phases.filter((phase) => first.phases.includes(phase));
}

/** Resolves to the first line of the command's error if it fails. */
export async function findLaterFailure(
  phase: Phase,
  within: number,
  runs: Runs,
): Promise<string | undefined> {
  return await inWorld(undefined, phase, runs, async (world, start) => {
    const failure = await findRightFailure(world, start(), within);
    return failure?.split("\n", 1)[0];
  });
}

/** `within` is the limit of a run in seconds. */
export function createCommandRuns(rightRuns: RightRuns, within: number, runs: Runs): RowRuns {
  const [first, second] = rightRuns;
  const found = listPhases(rightRuns);
  const inWorldOf = <T>(name: MisbehaviourName, work: Parameters<typeof inWorld<T>>[3]) =>
    inWorld(name, catalogue.get(name)!.phase, runs, work);
  return createRowRuns({
    does: runs.does,
    rightRunOf: (phase) => ({ seen: second.seen, hasPhase: found.includes(phase) }),
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
  { command, configuration, signal: interrupted }: Runs,
  work: (world: World, start: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, interrupted]);
  const number = name === undefined ? 0 : misbehaviourNames.indexOf(name) + 1;
  const options = createOptions(name, configuration);
  const world = await createWorld({ name, phase, number, options, listens: true, signal });
  let running: Promise<void> | undefined;
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
