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
 * Resolves to a sentence about a need that the client does not meet. `usual` are the requests of a run in which the client
 * did what it usually does. If they do not show the need, `runAgain` runs the client as for this misbehaviour.
 */
export type ExplainUnmet = (
  needs: readonly Need[],
  usual: readonly Seen[],
  runAgain: () => Promise<RightRun>,
) => Promise<string | undefined>;

/** `declared`: what the client does according to the caller. A client that has met needs once need not show them again. */
export function createExplainUnmet(declared: readonly Need[]): ExplainUnmet {
  const met = new Set<string>();
  return async (needs, usual, runAgain) => {
    if (met.has(needs.join()) || findUnmet(needs, usual, declared) === undefined) return undefined;
    const control = await runAgain();
    if ("error" in control) {
      return `The client does not succeed here while the server is right: ${control.error}`;
    }
    const unmet = findUnmet(needs, control.seen, declared);
    if (unmet === undefined) met.add(needs.join());
    return unmet;
  };
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
