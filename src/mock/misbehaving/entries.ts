/** The misbehaviours and look-alikes with their functions, and what these use. Loaded when a test first uses one. */

import { catalogue } from "../../misbehaviours/catalogue.ts";
import { combineDifferences, lookAlikes } from "../../misbehaviours/look_alikes/look_alikes.ts";
import { lookAlikeNames } from "../../misbehaviours/look_alikes/names.ts";
import { type ActiveEntry, type ActiveName, nameLookAlike } from "./active_misbehaviour.ts";

export { catalogue };
export { judge, readThrown } from "../../misbehaviours/judge.ts";
export { createTools } from "./tools.ts";

const entries: ReadonlyMap<ActiveName, ActiveEntry> = new Map<ActiveName, ActiveEntry>([
  ...catalogue,
  ...lookAlikeNames.map((name) => [nameLookAlike(name), combineDifferences(lookAlikes[name])] as const),
]);

export function findEntry(name: ActiveName): ActiveEntry {
  return entries.get(name)!;
}
