/** Tries each variant of a misbehaviour in one row of a card. The worst outcome counts. */

import { listVariants, type MisbehaviourName } from "../faults/names.ts";
import type { Outcome } from "../faults/outcome.ts";

/** The worst first. After one of the first five, the others would say no more. */
const ranks: readonly Outcome[] = [
  ...["fooled", "broke", "not_reached", "not_applicable", "hung", "crashed"] as const,
  ...["unknown", "pending", "unharmed", "tolerated", "noticed"] as const,
];
const lastOfAll = ranks.indexOf("hung");

/** These say what the client did with one variant. The others are of all variants, or come before the first one. */
const ofOneVariant: ReadonlySet<Outcome> = new Set(["fooled", "broke", "hung", "crashed", "unharmed"]);

/** The client did not come to the variant, or did not end: a busy machine can be the reason. */
const silent: ReadonlySet<Outcome> = new Set(["not_reached", "hung", "unknown"]);

/** The variant that decided the outcome, if one did. `because` begins with it. */
type Varied<T> = T & { readonly variant?: string };

/**
 * `run` gets the number of the run, too, and no variant if there is one form only. A variant of several that ends in
 * silence is tried once more, because it would hide what the others show. So is one form whose outcome is one of `strays`.
 */
export async function runVariants<T extends { readonly outcome: Outcome; readonly because: string }>(
  misbehaviour: MisbehaviourName,
  run: (variant: string | undefined, index: number) => Promise<T>,
  strays: readonly Outcome[] = [],
): Promise<Varied<T>> {
  const variants = listVariants(misbehaviour);
  const isStray = ({ outcome }: T) => variants.length > 1 ? silent.has(outcome) : strays.includes(outcome);
  const runTwice = async (variant: string | undefined, index: number): Promise<T> => {
    const judged = await run(variant, index);
    return isStray(judged) ? await run(variant, Math.max(1, variants.length) + index) : judged;
  };
  const [first, ...others] = variants;
  const decide = (judged: T, variant: string | undefined): Varied<T> =>
    variant === undefined
      ? judged
      : { ...judged, variant, because: `With the variant ${variant}: ${judged.because}` };
  const judgedFirst = await runTwice(first, 0);
  let worst = ofOneVariant.has(judgedFirst.outcome) ? decide(judgedFirst, first) : judgedFirst;
  for (const [index, variant] of others.entries()) {
    if (ranks.indexOf(worst.outcome) <= lastOfAll) break;
    const judged = await runTwice(variant, index + 1);
    if (ranks.indexOf(judged.outcome) >= ranks.indexOf(worst.outcome)) continue;
    worst = decide(judged, variant);
  }
  return worst;
}
