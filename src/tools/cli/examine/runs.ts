/** Runs a test command against a fresh server on its own port: without a fault, or with one. */

import { catalogue } from "../../../kit/faults/catalogue.ts";
import { type Phase, phases } from "../../../kit/faults/misbehaviour.ts";
import { type MisbehaviourName, misbehaviourNames } from "../../../kit/faults/names.ts";
import type { Seen } from "../../../kit/faults/seen.ts";
import { keepRow, type KeptRow } from "../../../kit/examine/card/kept_card.ts";
import { compareLogins } from "../../../kit/examine/compare_logins.ts";
import { findRightFailure, type JudgeNeeds, runControl } from "../../../kit/examine/control_run.ts";
import { describeRow, skipPhase } from "../../../kit/examine/examine.ts";
import { runVariants } from "../../../kit/examine/run_variants.ts";
import { createWorld, type World } from "../../../kit/examine/scenario.ts";
import { recordSeen } from "../../../kit/mock/journal/record_seen.ts";
import type { Verdict } from "../../../kit/mock/misbehaving/misbehave.ts";
import type { MockOptions } from "../../../kit/mock/terms/mock_options.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { present } from "../../../server/values/present.ts";
import { personScopes } from "../usual_scope.ts";
import { runCommand } from "./run_command.ts";

/** What is the same in every run. */
export interface Runs {
  readonly command: readonly string[];
  readonly judgeNeeds: JudgeNeeds;
  readonly configuration: Configuration;
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

export interface RightRun {
  readonly phases: readonly Phase[];
  /** In seconds. */
  readonly duration: number;
  readonly seen: readonly Seen[];
}

/** Rejects with the error of the command if it fails, and with what the server has refused. */
export async function runRight(runs: Runs): Promise<RightRun> {
  const startedAt = performance.now();
  return await inWorld(undefined, "login", runs, async ({ hasReached, listSeen, explainRefused }, start) => {
    await start().catch((cause: Error) => {
      const refused = explainRefused();
      if (refused === undefined) throw cause;
      // The name is the exit code of the command.
      throw Object.assign(new Error(`${cause.message}\n${refused}`, { cause }), { name: cause.name });
    });
    const duration = (performance.now() - startedAt) / 1000;
    return { phases: phases.filter(hasReached), duration, seen: listSeen() };
  });
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

/** `within` is the limit in seconds, `usual` are requests of a right run. */
export async function runFor(
  name: MisbehaviourName,
  { within, usual }: { readonly within: number; readonly usual: readonly Seen[] },
  runs: Runs,
): Promise<KeptRow> {
  const { needs, phase, repeats } = catalogue.get(name)!;
  const runRight = () => inWorld(name, phase, runs, (world, start) => runControl(name, world, start, within));
  const verdict = await runs.judgeNeeds(needs, usual, runRight) ??
    (repeats === undefined
      ? await runVariants(name, (variant) => runWrong(name, variant, { within, usual }, runs))
      : await compareLogins(repeats, usual, runRight));
  return keepRow(describeRow(name, verdict));
}

async function runWrong(
  name: MisbehaviourName,
  variant: string | undefined,
  { within, usual }: { readonly within: number; readonly usual: readonly Seen[] },
  runs: Runs,
): Promise<Verdict> {
  const entry = catalogue.get(name)!;
  return await inWorld(name, entry.phase, runs, async ({ as }, start) => {
    const wrong = as.misbehave(name, present({ variant }));
    try {
      return await wrong.settled(start(), { within, usual: usual.map(recordSeen) });
    } finally {
      wrong[Symbol.dispose]();
    }
  });
}

export function skipRun(name: MisbehaviourName, usual: readonly Seen[]): KeptRow {
  const entry = catalogue.get(name)!;
  return keepRow(describeRow(name, skipPhase(entry.phase, usual)));
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
  try {
    return await work(world, () => running = runCommand(command, { env, signal }));
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
