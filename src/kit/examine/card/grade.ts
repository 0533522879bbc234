/** The grade of a row of a card. */

import { isAdvice } from "../../faults/misbehaviour.ts";
import type { CardRow } from "../examine.ts";

/**
 * `passed`: the client noticed, came to no harm, or went on where a correct client does. `failed`: it broke a rule.
 * `advice`: its code failed, its answer is not as recommended, or it was fooled or stopped where no standard obliges it. `unjudged`: nothing shows what it
 * did, it never came there, or the row is not about it.
 */
export type Grade = "passed" | "failed" | "advice" | "unjudged";

/** The grades, the most important first. */
export const grades: readonly Grade[] = ["failed", "advice", "unjudged", "passed"];

export function gradeOf({ outcome, level, advised }: Pick<CardRow, "outcome" | "level" | "advised">): Grade {
  switch (outcome) {
    case "noticed":
      return advised ? "advice" : "passed";
    case "unharmed":
    case "tolerated":
      return "passed";
    case "unknown":
    case "not_applicable":
    case "not_reached":
    case "pending":
      return "unjudged";
    case "crashed":
      return "advice";
    case "fooled":
    case "broke":
    case "hung":
      return isAdvice(level) ? "advice" : "failed";
  }
}
