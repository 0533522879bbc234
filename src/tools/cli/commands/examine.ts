/** `postern examine`: runs a test command once for each misbehaviour, and writes a card of what the client noticed. */

import { sayCount } from "../../../ground/values/say_count.ts";
import process from "node:process";
import { chooseForClients } from "../../../kit/faults/choose.ts";
import type { MisbehaviourName } from "../../../kit/faults/names.ts";
import { listNeverSent, needNames } from "../../../kit/faults/needs.ts";
import type { Outcome } from "../../../kit/faults/outcome.ts";
import { gradeOf } from "../../../kit/examine/card/grade.ts";
import { keepCard, keepRow, type KeptCard } from "../../../kit/examine/card/kept_card.ts";
import { describePhases } from "../../../kit/examine/describe_phases.ts";
import { describeRow } from "../../../kit/examine/card_row.ts";
import { createRightAgain, joinProblems } from "../../../kit/examine/right_again.ts";
import { phases as allPhases } from "../../../kit/faults/misbehaviour.ts";
import { putAwaitedFirst, type RowRuns } from "../../../kit/examine/row_runs.ts";
import type { Command } from "../terminal/command.ts";
import { CommandError } from "../terminal/command_error.ts";
import { readConfigurationFile } from "../configuration/configuration_file.ts";
import {
  cardFlags,
  enterFolderOfUser,
  publishCard,
  readCardFile,
  readCardTerms,
} from "../examine/card_files.ts";
import { driverNames, writeDriver } from "../examine/drivers.ts";
import { reportNoCard, writesForGithub } from "../examine/github.ts";
import { createRunKeeper, keptRunsFile } from "../examine/kept_runs.ts";
import { createProgress, type Progress } from "../examine/progress.ts";
import {
  createCommandRuns,
  findFailed,
  findLaterFailure,
  listPhases,
  type RightRuns,
  runCommandRight,
  type Runs,
} from "../examine/runs.ts";
import { acceptSeveral, oneOf, readFlags, readSeveral } from "../terminal/flags.ts";
import { chooseNames, levelFlag, onlyFlag, readLevels } from "./misbehaviours.ts";
import { present } from "../../../ground/values/present.ts";
import { sideBySide } from "../../../ground/values/side_by_side.ts";
import { printText } from "../terminal/print_text.ts";

const table = {
  only: onlyFlag,
  level: levelFlag,
  config: { value: "FILE", help: "Clients, people and more, as for start. Default: any client is accepted." },
  ...cardFlags,
  "changed-since": {
    value: "FILE",
    help: "An earlier card (.json). What failed there, or is new since then, runs first.",
  },
  jobs: {
    value: "N",
    help: "How many runs are at the same time. Default: 1, because a command may use a fixed port.",
    accepts: (text: string) => /^[1-9]\d?$/.test(text),
    expected: "a number from 1 to 99",
  },
  within: {
    value: "SECONDS",
    help: "The time limit for one run. Default: three times as long as without a fault, and 10 at least.",
    accepts: (text: string) => /^\d{1,4}$/.test(text) && Number(text) > 0,
    expected: "a number of seconds",
  },
  does: {
    value: "NEEDS",
    help: "What the client does, but its requests do not show: two_browsers, two_refreshes (with commas).",
    ...acceptSeveral(needNames),
  },
  thorough: { help: "Log in a thousand times more, to count the chance in state, nonce and code_verifier." },
  init: {
    value: "LIBRARY",
    help: `Instead, write a command to start from, into this folder: a login with ${driverNames.join(", ")}.`,
    ...oneOf(driverNames),
  },
  continue: { help: `Go on after an interrupt: keep the results in ${keptRunsFile}.` },
} as const;

export const examine: Command = {
  usage: "examine [flags] -- COMMAND ...",
  summary: "Run a test command once for each misbehaviour, and say what your client noticed.",
  notes: (program) =>
    [
      `Example: ${program} examine --level must --card card.html -- pytest test_login.py`,
      "",
      "The command gets OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_REDIRECT_URI, OAUTH_SCOPE",
      "and OAUTH_RESOURCE (a protected API) of a new server for each run. The server",
      "signs in without a page. Exit code 0 means that the client succeeded. Any other",
      "code counts as a refusal, also that of a crash. The exit codes of examine:",
      "  0    no failure",
      "  1    the client failed a misbehaviour at the level must, should or tolerate,",
      "       of those that ran",
      "  2    a wrong flag or file, or the command failed while the server was right,",
      "       at once or later",
      "  3    Postern itself failed",
      "  130  interrupted",
    ].join("\n"),
  flags: table,
  async run(args) {
    process.exit(await runExamine(args));
  },
};

/** These say that the client was not judged. */
const unjudged: ReadonlySet<Outcome> = new Set(["not_applicable", "not_reached"]);

/** Resolves to the exit code. */
async function runExamine(args: readonly string[]): Promise<number> {
  let flags: FlagValues | undefined;
  try {
    const given = readArguments(args);
    flags = given.flags;
    const { command } = given;
    enterFolderOfUser();
    if (flags.init !== undefined) {
      printText(await writeDriver(flags.init));
      return 0;
    }
    const terms = await readCardTerms(flags, command);
    const earlier = await readCardFile("changed-since", flags["changed-since"]);
    const { configuration } = await readConfigurationFile(flags.config);
    const names = chooseNames(flags.only?.split(",") ?? [], readLevels(flags.level), chooseForClients);
    const kept = await readCardFile("continue", flags.continue && keptRunsFile);
    const interrupting = new AbortController();
    const interrupt = () => interrupting.abort();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);

    const does = readSeveral(needNames, flags.does ?? "");
    const runs: Runs = { command, configuration, does, signal: interrupting.signal };
    const card = await examineCommand(names, { runs, flags, progress, ...present({ earlier, kept }) });
    if (card === undefined) return 130;

    progress.end();
    const report = await publishCard(card, terms, flags);
    if (report.problem !== undefined) return 2;
    return report.rows.some(({ isFailure }) => isFailure) ? 1 : 0;
  } catch (cause) {
    const { stack, message } = cause as Error;
    const error = cause instanceof CommandError
      ? cause
      : new CommandError(`examine itself has failed: ${stack ?? message}`, { exitCode: 3, cause });
    if (writesForGithub(flags?.github)) await reportNoCard(error.message);
    throw error;
  }
}

/** On standard error, so that standard output has only the card. */
const progress = createProgress(process.stderr);

type FlagValues = ReturnType<typeof readFlags<typeof table>>["flags"];

function readArguments(
  args: readonly string[],
): { readonly flags: FlagValues; readonly command: readonly string[] } {
  const end = args.indexOf("--");
  const { flags } = readFlags(end < 0 ? args : args.slice(0, end), table);
  const command = end < 0 ? [] : args.slice(end + 1);
  if (command.length > 0 || flags.init !== undefined) return { flags, command };
  throw new CommandError(
    "examine needs a command after --, for example: examine --level must -- pytest. --init writes one",
  );
}

interface Examination {
  readonly runs: Runs;
  /** The rows of an interrupted examination. */
  readonly kept?: KeptCard;
  /** What failed in this card, or is not in it, runs first. */
  readonly earlier?: KeptCard;
  readonly flags: { readonly jobs?: string; readonly within?: string; readonly thorough?: boolean };
  readonly progress: Pick<Progress, "say" | "move">;
}

/** Resolves to the card, or to `undefined` after an interrupt. */
export async function examineCommand(
  names: readonly MisbehaviourName[],
  examination: Examination,
): Promise<KeptCard | undefined> {
  const right = await runRightTwice(examination);
  if (right === undefined) return undefined;
  const runs = { ...examination.runs, isForTwo: right.some(({ isForTwo }) => isForTwo) };
  return await runAll(names, right, { ...examination, runs });
}

async function runRightTwice(
  { runs, flags, progress: { say } }: Examination,
): Promise<RightRuns | undefined> {
  say("Two runs while the server is right:");
  const within = flags.within === undefined ? undefined : Number(flags.within);
  const right = await startTwice(() => runCommandRight(runs, within), readJobs(flags)).catch((error) => {
    if (runs.signal.aborted) return undefined;
    throw error;
  });
  if (right === undefined || runs.signal.aborted) return undefined;
  const phases = listPhases(right);
  if (!phases.includes("login")) {
    throw new CommandError(
      "no login has reached the server: the command must use the issuer in the variable OAUTH_ISSUER",
    );
  }
  const failed = findFailed(right);
  say(`  ${failed ? "failed" : "passed"}. ${describePhases(phases, allPhases, failed?.unfinished)}`);
  return right;
}

async function startTwice<T>(start: () => Promise<T>, jobs: number): Promise<readonly [T, T]> {
  const first = start();
  if (jobs === 1) await first;
  const second = start();
  // A command must not outlive this program, also if the other one fails.
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

function readJobs({ jobs = "1" }: Examination["flags"]): number {
  return Number(jobs);
}

async function runAll(
  names: readonly MisbehaviourName[],
  right: RightRuns,
  { runs, kept, earlier, flags, progress: { say, move } }: Examination,
): Promise<KeptCard | undefined> {
  const jobs = readJobs(flags);
  const longest = Math.max(...right.map((run) => run.duration));
  const within = Number(flags.within ?? Math.max(10, Math.ceil(longest * 3)));
  const phases = listPhases(right);
  const failed = findFailed(right);
  const rowRuns = createCommandRuns(right, { within, jobs, isThorough: flags.thorough === true }, runs);
  const rows = new Map(
    kept?.rows.filter(({ name }) => names.includes(name)).map((row) => [row.name, row]),
  );
  const keep = async (name: MisbehaviourName) => {
    const row = keepRow(describeRow(name, await rowRuns.run(name)));
    // The interrupt has ended the command, so the result is of no use.
    if (!runs.signal.aborted) rows.set(name, row);
    return row;
  };
  for (const name of names) {
    if (rows.has(name) || !rowRuns.isDecided(name)) continue;
    const { outcome } = await keep(name);
    if (!unjudged.has(outcome)) say(`${name}: ${outcome}`);
  }
  const waiting = putAwaitedFirst(sortByCard(names.filter((name) => !rows.has(name)), earlier));
  const keeper = createRunKeeper(phases, [...rows.values()]);
  if (failed?.error === undefined) {
    const duration = Math.min(...right.map((run) => run.duration));
    const skipped = names.length - waiting.length;
    say(describePlan(waiting.length, { ...rowRuns.countRuns(waiting), duration, jobs, within, skipped }));
  }

  const rightAgain = createRightAgain((phase) => findLaterFailure(phase, within, runs, right));
  let begun = 0;
  const work = async (name: MisbehaviourName) => {
    if (runs.signal.aborted) return;
    const number = ++begun;
    const row = await keep(name);
    if (runs.signal.aborted) return;
    await keeper.add(row);
    move(`[${number}/${waiting.length}] ${name}: ${row.outcome}`);
    await rightAgain.after(row);
  };
  await sideBySide(waiting.filter((name) => !rowRuns.isAlone(name)), work, jobs);
  await sideBySide(waiting.filter(rowRuns.isAlone), work, 1);
  const isOver = runs.signal.aborted || failed?.error !== undefined;
  const problem = joinProblems([failed?.problem, isOver ? undefined : await rightAgain.atEnd()]);
  const neverSends = listNeverSent(right[1].seen);
  await keeper.end(!isOver);
  if (!runs.signal.aborted) {
    const unfinished = failed?.unfinished.length ? failed.unfinished : undefined;
    const about = keepCard({ phases, ...present({ unfinished, neverSends, problem }), rows: [] });
    return { ...about, rows: names.map((name) => rows.get(name)!) };
  }
  say("Interrupted. The same command with --continue goes on here.");
  return undefined;
}

/** The rows that failed, or that the card lacks, come first. */
function sortByCard(
  names: readonly MisbehaviourName[],
  card: KeptCard | undefined,
): readonly MisbehaviourName[] {
  if (card === undefined) return names;
  const failed = new Map(card.rows.map((row) => [row.name, gradeOf(row) === "failed"]));
  const isLater = (name: MisbehaviourName) => Number(failed.get(name) === false);
  return names.toSorted((one, other) => isLater(one) - isLater(other));
}

interface Plan extends ReturnType<RowRuns["countRuns"]> {
  /** Of the faster one of the first runs, in seconds: the other one may have loaded what the next ones keep. */
  readonly duration: number;
  readonly jobs: number;
  /** The limit of a run in seconds. A client waits so long, or has a shorter limit of its own. */
  readonly within: number;
  readonly skipped: number;
}

function describePlan(count: number, { runs, waits, duration, jobs, within, skipped }: Plan): string {
  // The last run is one with a right server.
  const total = Math.ceil(runs / jobs + 1) * duration + waits / jobs * within * 0.75;
  const time = total < 90 ? `${Math.max(1, Math.round(total))} s` : `${(total / 60).toFixed(1)} min`;
  const rest = skipped === 0
    ? ""
    : `\n${skipped} more ${
      skipped === 1 ? "needs" : "need"
    } no run, because these two show enough, or a result is kept.`;
  return `${sayCount(count, "row takes", "rows take")} about ${time}, in runs of ${
    duration.toFixed(1)
  } s.${rest}`;
}
