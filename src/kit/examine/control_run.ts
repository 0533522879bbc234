/** Finds out whether a misbehaviour applies to a client, by a run in which the server is right. */

import { faultySideOf, type MisbehaviourName } from "../faults/names.ts";
import { describeNeeds, findUnmet, type Need } from "../faults/needs.ts";
import type { Seen } from "../faults/seen.ts";
import { within as endsWithin } from "../../server/runtime/real_timer.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import type { Verdict } from "../mock/misbehaving/misbehave.ts";
import { explainMissing } from "./describe_phases.ts";
import { describeThrown } from "../faults/describe_thrown.ts";
import type { World } from "./scenario.ts";

/** A run in which the server was right. */
export interface ControlRun {
  readonly seen: readonly Seen[];
  readonly error?: string | undefined;
}

/** `runAgain` runs the client as for this misbehaviour, if its usual requests do not show that it meets a need. */
export type JudgeNeeds = (
  needs: readonly Need[] | undefined,
  usual: readonly Seen[],
  runAgain: () => Promise<ControlRun>,
) => Promise<Verdict | undefined>;

/** `declared`: what the client does according to the caller. A client that has met needs once need not show them again. */
export function createNeedsJudge(declared: readonly Need[]): JudgeNeeds {
  const met = new Set<string>();
  return async (needs = [], usual, runAgain) => {
    if (met.has(needs.join()) || findUnmet(needs, usual, declared) === undefined) return undefined;
    const { seen, error } = await runAgain();
    const because = error === undefined
      ? findUnmet(needs, seen, declared)
      : `The client does not succeed with ${describeNeeds(needs)} while the server is right: ${error}`;
    if (because !== undefined) return { outcome: "not_applicable", because, requests: seen.map(recordSeen) };
    met.add(needs.join());
    return undefined;
  };
}

/** Runs the client with the settings of the misbehaviour, but with right answers. */
export async function runControl(
  name: MisbehaviourName,
  world: World,
  start: () => Promise<unknown>,
  within: number,
): Promise<ControlRun> {
  if (faultySideOf(name) === "client") return await runOnce(world, start, within);
  const settings = world.as.misbehave(name, { probability: 0 });
  try {
    return await runOnce(world, start, within);
  } finally {
    settings[Symbol.dispose]();
  }
}

async function runOnce(world: World, start: () => Promise<unknown>, within: number): Promise<ControlRun> {
  const error = await findFailure(start(), within);
  return { seen: world.listSeen(), error };
}

async function findFailure(run: Promise<unknown>, within: number): Promise<string | undefined> {
  const ended = run.then(() => undefined, describeThrown);
  return await endsWithin(within, ended) ? await ended : "it did not end within the limit";
}

/** A run that does not get as far as its phase has failed, too. */
export async function findRightFailure(
  { scenario: { phase }, hasReached }: World,
  run: Promise<unknown>,
  within: number,
): Promise<string | undefined> {
  const failure = await findFailure(run, within);
  return failure ?? (hasReached(phase) ? undefined : explainMissing(phase));
}
