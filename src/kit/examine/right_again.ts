/** Runs a client again while the server is right. A client that is broken by now would seem to be wrong, or to be right. */

import { parseJsonObject } from "../../ground/schema/json_object.ts";
import type { Outcome } from "../faults/outcome.ts";
import type { Phase } from "../faults/misbehaviour.ts";
import { redeemsCode, to } from "../faults/finds.ts";
import type { MisbehaviourName } from "../faults/names.ts";
import type { Seen } from "../faults/seen.ts";

interface EndedRun {
  readonly name: MisbehaviourName;
  readonly phase: Phase;
  readonly outcome: Outcome;
}

interface RightAgain {
  /** Runs the client if a broken client ends in this way, too. */
  after(run: EndedRun): Promise<void>;
  /** Runs the client a last time. Resolves to a sentence if a run has failed. */
  atEnd(): Promise<string | undefined>;
}

/** Returns the sentences of `card.problem`. */
export function joinProblems(problems: readonly (string | undefined)[]): string | undefined {
  return problems.filter(Boolean).join("\n") || undefined;
}

/** These say that nothing was seen of the client. */
const silent: ReadonlySet<Outcome> = new Set(["not_reached", "hung", "unknown"]);

/** What a client did wrongly although the server was right. */
export interface LaterFailure {
  /** What it said, if it did not succeed. */
  readonly error?: string;
  /** What it asked an earlier issuer for, and not this one. */
  readonly kept?: Kept;
}

type Kept = typeof loaded[number][1];

/** What a client asks each issuer for. */
const loaded = [["metadata", "metadata"], ["jwks", "keys"]] as const;

/** Returns what a client did not ask `issuer` for, although it asked another one in its usual run. */
export function findKept(
  usual: readonly Seen[],
  seen: readonly Seen[],
  { issuer, hasFailed }: { readonly issuer: string; readonly hasFailed: boolean },
): Kept | undefined {
  const asks = (run: readonly Seen[], endpoint: string) => to(endpoint)(run, []).length > 0;
  const isOther = to("metadata")(usual, []).some(({ entry: { response } }) =>
    (parseJsonObject(response.body ?? "")?.["issuer"] ?? issuer) !== issuer
  );
  // It needs no keys before it has tokens. Without the metadata, it can succeed only if it knows all that they say.
  const mayNeed = (endpoint: string) => endpoint === "jwks" ? redeemsCode(seen, []).length > 0 : hasFailed;
  const found = loaded.find(([endpoint]) =>
    asks(usual, endpoint) && !asks(seen, endpoint) && mayNeed(endpoint)
  );
  return isOther ? found?.[1] : undefined;
}

function explainKept(kept: Kept): string {
  return `It asked this issuer for no ${kept}, and may use the ${kept} of an earlier one.`;
}

/** `findFailure` runs the client in a phase, and resolves to its error if it does not succeed. */
export function createRightAgain(
  findFailure: (phase: Phase) => Promise<LaterFailure | undefined>,
): RightAgain {
  let problem: string | undefined;
  /** The first row of each phase that ended in silence since the last check. One check is about all of them. */
  const waiting = new Map<Phase, MisbehaviourName>();
  let isChecking = false;

  async function check(phase: Phase, last: MisbehaviourName | undefined): Promise<void> {
    if (problem !== undefined) return;
    const failure = await findFailure(phase);
    if (failure === undefined) return;
    const since = last === undefined ? "At the end" : `After ${last}`;
    const { error, kept } = failure;
    problem ??= [
      error === undefined
        ? `${since}, the client succeeded with another issuer.`
        : `${since}, the client failed although the server was right: ${error}.`,
      kept === undefined
        ? "Something around the client may be broken, so do not trust the verdicts."
        : `${explainKept(kept)} This explains other rows, so mend it first.`,
    ].join(" ");
  }

  return {
    async after({ name, outcome, phase }) {
      if (!silent.has(outcome)) return;
      if (!waiting.has(phase)) waiting.set(phase, name);
      if (isChecking) return;
      isChecking = true;
      for (const [waitingPhase, first] of waiting) {
        waiting.delete(waitingPhase);
        await check(waitingPhase, first);
      }
      isChecking = false;
    },
    async atEnd() {
      await check("login", undefined);
      return problem;
    },
  };
}
