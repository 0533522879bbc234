/** Judges a run in which the server is right: what the client does, and what it tries and cannot finish. */

import { racesRefresh } from "../faults/finds.ts";
import type { Phase } from "../faults/misbehaviour.ts";
import type { Seen } from "../faults/seen.ts";
import { describeCall } from "../mock/journal/describe_request.ts";
import { explainRefusal } from "../mock/journal/explain.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import { hideSecrets } from "./card/hide_secrets.ts";
import { whatPhaseDoes } from "./describe_phases.ts";
import type { World } from "./scenario.ts";
import { present } from "../../ground/values/present.ts";

/** What a run while the server is right shows of the phases in question. */
export interface RightJudgement {
  /** The phases to whose end the client came. */
  readonly phases: readonly Phase[];
  /** Those that it tried, and did not finish. */
  readonly unfinished: readonly Phase[];
  /** What failed, with the error and the explanation of the server. `undefined`: the client did all that it tried. */
  readonly problem?: string;
  /** What the client said at the end if it did not succeed. Without a problem, it tried nothing of the phases. */
  readonly error?: string;
  readonly seen: readonly Seen[];
}

/** `error` is what the client said at the end, and `undefined` if it succeeded. */
export function judgeRightRun(
  { hasReached, hasTried, findRefused, listSeen }: World,
  asked: readonly Phase[],
  error: string | undefined,
): RightJudgement {
  const seen = listSeen();
  const phases = asked.filter(hasReached);
  const unfinished = asked.filter((phase) => !phases.includes(phase) && hasTried(phase));
  const found = { phases, unfinished, seen, ...present({ error }) };
  const [failing = phases.at(-1)] = unfinished;
  if (error === undefined && unfinished.length === 0) return found;
  const refused = findRefused(failing);
  // A client may throw because it has no such phase, and it may look for metadata where there are none.
  const isStopped = refused !== undefined && (refused.endpoint !== "page" || asked.includes("login"));
  if (failing === undefined && !isStopped) return found;
  const lines = [
    describeFailure(failing ?? asked[0]!, {
      isTried: failing !== undefined,
      isDone: unfinished.length === 0,
      error,
    }),
    ...(refused?.refusal === undefined
      ? []
      : [`The server refused ${describeCall(refused)}:`, explainRefusal(refused.refusal)]),
  ];
  return { ...found, problem: hideSecrets(lines.join("\n"), seen.map(recordSeen)) };
}

function describeFailure(
  phase: Phase,
  { isTried, isDone, error }: {
    readonly isTried: boolean;
    readonly isDone: boolean;
    readonly error: string | undefined;
  },
): string {
  const does = whatPhaseDoes(phase);
  if (error === undefined) {
    return `No request with which the client ${does} succeeds, although the server is right.`;
  }
  const where = !isTried
    ? `fails before it ${does}`
    : isDone
    ? `${does}, and then fails`
    : `fails where it ${does}`;
  return `The client ${where}, although the server is right: ${error}`;
}

/** How a right run differs from the usual one. */
export interface RightTry {
  /** A second try has another issuer. */
  readonly attempt: number;
  /** The server takes a moment, and accepts a refresh token twice, so that two callers do not end the session. */
  readonly isForTwo: boolean;
}

/**
 * A busy machine may be late once. A client whose two callers refresh at the same time, each for itself, fails although its
 * phase works: `refresh.slow` judges that.
 */
export async function runRightPatiently<T extends RightJudgement>(
  run: (how: RightTry) => Promise<T>,
): Promise<T & { readonly isForTwo: boolean }> {
  const first = { ...await run({ attempt: 0, isForTwo: false }), isForTwo: false };
  const failure = first.problem ?? first.error;
  if (failure === undefined) return first;
  if (isLate(failure)) return { ...await run({ attempt: 1, isForTwo: false }), isForTwo: false };
  if (!failure.includes("refresh_reused")) return first;
  const second = await run({ attempt: 1, isForTwo: true });
  const isForTwo = second.problem === undefined && racesRefresh(second.seen, []).length > 0;
  return isForTwo ? { ...second, isForTwo } : first;
}

/** Clients in any language say so in their own words. */
function isLate(failure: string): boolean {
  return /time[ds]?[ -]?out|AbortError|deadline exceeded|within the limit/i.test(failure);
}
