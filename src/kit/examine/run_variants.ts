/** Tries each variant of a misbehaviour in one row of a card. The worst outcome counts. */

import { listVariants, type MisbehaviourName } from "../faults/names.ts";
import type { Outcome } from "../faults/outcome.ts";

/** The worst first. After one of the first five, the others would say no more. */
const ranks: readonly Outcome[] = [
  ...["fooled", "broke", "not_reached", "not_applicable", "hung", "crashed"] as const,
  ...["unknown", "pending", "unharmed", "tolerated", "noticed"] as const,
];
const lastOfAll = ranks.indexOf("hung");

/** The client did not come to the variant, or did not end: a busy machine can be the reason. */
const silent: ReadonlySet<Outcome> = new Set(["not_reached", "hung", "unknown"]);

/**
 * `run` gets the number of the run, too, and no variant if there is one form only. A variant of several that ends in
 * silence is tried once more, because it would hide what the others show. So is one form that the client did not meet
 * although it usually comes to that place (`isExpected`).
 */
export async function runVariants<T extends { readonly outcome: Outcome; readonly because: string }>(
  name: MisbehaviourName,
  run: (variant: string | undefined, index: number) => Promise<T>,
  isExpected = false,
): Promise<T> {
  const variants = listVariants(name);
  const isStray = ({ outcome }: T) =>
    variants.length > 1 ? silent.has(outcome) : isExpected && outcome === "not_reached";
  const runTwice = async (variant: string | undefined, index: number): Promise<T> => {
    const judged = await run(variant, index);
    return isStray(judged) ? await run(variant, Math.max(1, variants.length) + index) : judged;
  };
  const [first, ...others] = variants;
  let worst = await runTwice(first, 0);
  for (const [index, variant] of others.entries()) {
    if (ranks.indexOf(worst.outcome) <= lastOfAll) break;
    const judged = await runTwice(variant, index + 1);
    if (ranks.indexOf(judged.outcome) >= ranks.indexOf(worst.outcome)) continue;
    worst = { ...judged, because: `With the variant ${variant}: ${judged.because}` };
  }
  return worst;
}
