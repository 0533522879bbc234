/** Finds out whether a misbehaviour applies to a client, by a run in which the server is right. */

import type { MisbehaviourName } from "../../misbehaviours/names.ts";
import { findUnmet, type Need } from "../../misbehaviours/needs.ts";
import type { Seen } from "../../misbehaviours/seen.ts";
import { within as endsWithin } from "../../runtime/within.ts";
import { describeThrown } from "./describe_thrown.ts";
import type { World } from "./scenario.ts";

/** The requests of a run in which the server was right, or the error with which the run ended. */
export type RightRun = { readonly seen: readonly Seen[] } | { readonly error: string };

/**
 * Returns a sentence about a need that the client does not meet. If the usual run does not show the need, `runAgain` runs
 * the client as for this misbehaviour.
 */
export async function explainUnmet(
  needs: readonly Need[],
  usual: readonly Seen[],
  declared: readonly Need[],
  runAgain: () => Promise<RightRun>,
): Promise<string | undefined> {
  if (findUnmet(needs, usual, declared) === undefined) return undefined;
  const control = await runAgain();
  return "error" in control
    ? `The client does not succeed here while the server is right: ${control.error}`
    : findUnmet(needs, control.seen, declared);
}

/** Runs the client with the settings of the misbehaviour, but with right answers. */
export async function runControl(
  name: MisbehaviourName,
  world: World,
  start: () => Promise<unknown>,
  within: number,
): Promise<RightRun> {
  const settings = world.as.misbehave(name, { probability: 0 });
  try {
    const error = await findFailure(start(), within);
    return error === undefined ? { seen: world.listSeen() } : { error };
  } finally {
    settings[Symbol.dispose]();
  }
}

/** Resolves to the error of a run, or to `undefined` if it succeeds. */
export async function findFailure(run: Promise<unknown>, within: number): Promise<string | undefined> {
  const ended = run.then(() => undefined, describeThrown);
  return await endsWithin(within, ended) ? await ended : "it did not end within the limit";
}
