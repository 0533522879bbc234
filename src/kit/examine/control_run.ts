/** Runs a client once: with a fault, or as for this fault while the server is right. */

import { catalogue } from "../faults/catalogue.ts";
import { faultySideOf, type MisbehaviourName } from "../faults/names.ts";
import type { Seen } from "../faults/seen.ts";
import { within as endsWithin } from "../../server/runtime/real_timer.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import type { Verdict } from "../mock/misbehaving/misbehave.ts";
import { compareAccounts } from "./compare_accounts.ts";
import { locateOtherServer } from "../mock/misbehaving/other_server.ts";
import { explainMissing } from "./describe_phases.ts";
import { describeThrown } from "../faults/describe_thrown.ts";
import { findKept, type LaterFailure } from "./right_again.ts";
import type { World } from "./scenario.ts";
import { present } from "../../ground/values/present.ts";

/** A run in which the server was right. */
export interface ControlRun {
  readonly seen: readonly Seen[];
  readonly error?: string | undefined;
}

/** The verdict about a run with a fault. */
export interface WrongRun extends Verdict {
  /** The client noticed, and the requests alone prove it. */
  readonly isProven: boolean;
  /** Two runs were two browsers, if no cookie and no storage of a browser outlives a run. */
  readonly trustsBrowsers: boolean;
}

/** `usual` are the requests of a right run. `start` gets the person who signs in, if the row needs a certain one. */
export async function runWrong(
  name: MisbehaviourName,
  world: World,
  start: (username?: string) => Promise<unknown>,
  { variant, usual, within }: {
    readonly variant: string | undefined;
    readonly usual: readonly Seen[];
    readonly within: number;
  },
): Promise<WrongRun> {
  const { accounts, changePage, isShownByPage, phase } = catalogue.get(name)!;
  if (accounts !== undefined) {
    const verdict = await compareAccounts(accounts, world, start, { phase, variant, usual, within });
    return { ...verdict, isProven: true, trustsBrowsers: false };
  }
  const { as, otherBrowser } = world;
  if (changePage !== undefined) {
    const otherServer = locateOtherServer(as.issuer);
    world.changeFirstPage((page) => changePage(page, { ...present({ variant }), otherServer }));
  }
  const needsOther = otherBrowser.isBeginning;
  const terms = {
    get probability() {
      return otherBrowser.isBeginning ? 0 : 1;
    },
  };
  const wrong = as.misbehave(name, needsOther ? terms : present({ variant }));
  try {
    const run = needsOther ? startTwice(start, otherBrowser, within) : start();
    const limit = needsOther ? 2 * within : within;
    const verdict = await wrong.settled(run, { within: limit, usual: usual.map(recordSeen) });
    if (verdict.outcome === "unknown" && isShownByPage && world.hasEscaped) {
      const because = "The page of the client shows the text, and no part of it is a tag.";
      return { ...verdict, outcome: "noticed", because, isProven: true, trustsBrowsers: false };
    }
    return {
      ...verdict,
      isProven: verdict.outcome === "noticed" && wrong.proven?.outcome === "noticed",
      trustsBrowsers: needsOther && !otherBrowser.isApart,
    };
  } finally {
    wrong[Symbol.dispose]();
  }
}

/** The first run is that of the other browser, unless the client visits pages: then it has begun both logins. */
async function startTwice(
  start: () => Promise<unknown>,
  otherBrowser: World["otherBrowser"],
  within: number,
): Promise<unknown> {
  const first = start();
  const isEnded = await endsWithin(within, first.then(() => {}, () => {}));
  if (!isEnded || !otherBrowser.isBeginning) return await first;
  otherBrowser.end();
  return await start();
}

/** Runs the client with the settings of the misbehaviour, but with right answers. */
export async function runControl(
  name: MisbehaviourName,
  world: World,
  start: () => Promise<unknown>,
  within: number,
): Promise<ControlRun> {
  const isUsual = faultySideOf(name) === "client" || world.otherBrowser.isBeginning;
  if (isUsual) return await runOnce(world, start, within);
  const settings = world.as.misbehave(name, { probability: 0 });
  try {
    return await runOnce(world, start, within);
  } finally {
    settings[Symbol.dispose]();
  }
}

/** Runs the client at a right server. */
export async function runOnce(
  world: World,
  start: () => Promise<unknown>,
  within: number,
): Promise<ControlRun> {
  const error = await findFailure(start(), within);
  return { seen: world.listSeen(), error };
}

/** Returns what the client said if it did not succeed. */
export async function findFailure(run: Promise<unknown>, within: number): Promise<string | undefined> {
  const ended = run.then(() => undefined, describeThrown);
  return await endsWithin(within, ended) ? await ended : "it did not end within the limit";
}

/** A run that does not get as far as its phase has failed, too. `usual` are the requests of a run that did. */
export async function findRightFailure(
  { as: { issuer }, scenario: { phase }, hasReached, listSeen }: World,
  run: Promise<unknown>,
  within: number,
  usual: readonly Seen[],
): Promise<LaterFailure | undefined> {
  const error = await findFailure(run, within) ?? (hasReached(phase) ? undefined : explainMissing(phase));
  const kept = findKept(usual, listSeen(), { issuer, hasFailed: error !== undefined });
  return error === undefined && kept === undefined ? undefined : present({ error, kept });
}
