/** Finds what a caller names by an id. */

import type { Numbered } from "../../kit/mock/conditions/numbered_list.ts";
import { describeKnown } from "../../ground/schema/nearest.ts";
import { ControlRefused } from "./control_refused.ts";

export function requireNumbered<T extends Numbered>(kind: string, id: string, entries: readonly T[]): T {
  const entry = entries.find((each) => each.id === id);
  if (entry !== undefined) return entry;
  throw unknownId(kind, id, entries.map((each) => each.id));
}

export function unknownId(kind: string, id: string, known: readonly string[]): ControlRefused {
  return new ControlRefused(
    "not_found",
    `There is no ${kind} ${JSON.stringify(id)}: ${describeKnown(known)}`,
  );
}
