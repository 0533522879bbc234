/** Runs a client again while the server is right. A client that is broken by now would seem to be wrong, or to be right. */

import type { Outcome } from "../faults/outcome.ts";
import type { Phase } from "../faults/misbehaviour.ts";
import type { MisbehaviourName } from "../faults/names.ts";

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

/** `findFailure` runs the client in a phase, and resolves to its error if it does not succeed. */
export function createRightAgain(findFailure: (phase: Phase) => Promise<string | undefined>): RightAgain {
  let problem: string | undefined;
  /** The first row of each phase that ended in silence since the last check. One check is about all of them. */
  const waiting = new Map<Phase, MisbehaviourName>();
  let isChecking = false;

  async function check(phase: Phase, last: MisbehaviourName | undefined): Promise<void> {
    if (problem !== undefined) return;
    const failure = await findFailure(phase);
    if (failure === undefined) return;
    const since = last === undefined ? "At the end" : `After ${last}`;
    problem ??= `${since}, the client failed although the server was right: ${failure}. ` +
      "Something around the client may be broken, so do not trust the verdicts.";
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
