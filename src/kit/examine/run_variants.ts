/** Tries each variant of a misbehaviour in one row of a card. The worst outcome counts. */

import { listVariants, type MisbehaviourName } from "../faults/names.ts";
import type { Outcome } from "../faults/outcome.ts";

/** The worst first. After one of the first five, the others would say no more. */
const ranks: readonly Outcome[] = [
  ...["fooled", "broke", "not_reached", "not_applicable", "hung", "crashed"] as const,
  ...["unknown", "pending", "unharmed", "tolerated", "noticed"] as const,
];
const lastOfAll = ranks.indexOf("hung");

/** `run` gets the number of the variant, too, and no variant if there is one form only. */
export async function runVariants<T extends { readonly outcome: Outcome; readonly because: string }>(
  name: MisbehaviourName,
  run: (variant: string | undefined, index: number) => Promise<T>,
): Promise<T> {
  const [first, ...others] = listVariants(name);
  let worst = await run(first, 0);
  for (const [index, variant] of others.entries()) {
    if (ranks.indexOf(worst.outcome) <= lastOfAll) break;
    const judged = await run(variant, index + 1);
    if (ranks.indexOf(judged.outcome) >= ranks.indexOf(worst.outcome)) continue;
    worst = { ...judged, because: `With the variant ${variant}: ${judged.because}` };
  }
  return worst;
}
