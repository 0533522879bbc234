/** The grade of a row of a card. */

import { isAdvice } from "../../misbehaviours/misbehaviour.ts";
import type { CardRow } from "../examine/examine.ts";

/**
 * `passed`: the client noticed, or went on where it had to. `failed`: it broke a rule. `advice`: it was fooled or stopped
 * where no standard obliges it. `unjudged`: nothing shows what it did, or it never came there.
 */
export type Grade = "passed" | "failed" | "advice" | "unjudged";

/** The grades, the most important first. */
export const grades: readonly Grade[] = ["failed", "advice", "unjudged", "passed"];

export function gradeOf({ outcome, level }: Pick<CardRow, "outcome" | "level">): Grade {
  if (outcome === "noticed" || outcome === "tolerated") return "passed";
  if (outcome === "unknown" || outcome === "not_reached" || outcome === "pending") return "unjudged";
  return isAdvice(level) ? "advice" : "failed";
}
