/** Checks the name of a variant of a fault. */

import { listVariants } from "../../faults/names.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { WrongTerm } from "../terms/wrong_term.ts";

/** The message begins with "Cannot " and `doing`. */
export function requireVariant(doing: string, name: string, variant: string | undefined): void {
  const known = listVariants(name);
  if (variant === undefined || known.includes(variant)) return;
  const expected = known.length === 0 ? "no variant" : `one of ${known.join(", ")} as variant`;
  throw new WrongTerm(doing, expected, describeValue(variant));
}
