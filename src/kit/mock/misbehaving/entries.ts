/** The misbehaviours and look-alikes with their functions, and what these use. Loaded when a test first uses one. */

import { catalogue } from "../../faults/catalogue.ts";
import { foreignKeyFor } from "../../faults/foreign_keys.ts";
import { combineDifferences, lookAlikes } from "../../faults/look_alikes/look_alikes.ts";
import { lookAlikeNames } from "../../faults/look_alikes/providers.ts";
import type { Tools } from "../../faults/misbehaviour.ts";
import { present } from "../../../ground/values/present.ts";
import { startRealTimer } from "../../../server/runtime/real_timer.ts";
import {
  type ActiveEntry,
  type ActiveName,
  type MisbehaviourSources,
  nameLookAlike,
} from "./active_misbehaviour.ts";
import { publishedKeyFor } from "./published_keys.ts";

export { catalogue };
export { answerAsOtherServer } from "./answer_as_other_server.ts";
export { createFace } from "../provider/face.ts";
export { judge, readThrown } from "../../faults/judge.ts";
export { wrongIdJags } from "../../faults/wrong_id_jags.ts";

const entries: ReadonlyMap<ActiveName, ActiveEntry> = new Map<ActiveName, ActiveEntry>([
  ...catalogue,
  ...lookAlikeNames.map((name) => [nameLookAlike(name), combineDifferences(lookAlikes[name])] as const),
]);

export function findEntry(name: ActiveName): ActiveEntry {
  return entries.get(name)!;
}

interface ToolTerms extends Partial<Pick<Tools, "sendFirst">> {
  readonly variant: string | undefined;
  readonly faceIssuer?: string | undefined;
}

export function createTools(
  sources: MisbehaviourSources,
  switchedOff: Promise<void>,
  { variant, faceIssuer, sendFirst = () => {} }: ToolTerms,
): Tools {
  return {
    ...present({ variant }),
    get issuer() {
      return faceIssuer ?? sources.issuer;
    },
    get otherServer() {
      return sources.otherServer;
    },
    also: sources.also,
    now: sources.now,
    findPast: sources.findPast,
    findFuture: sources.findFuture,
    findPerson: sources.findPerson,
    sendFirst,
    revoke: sources.revoke,
    foreignKeyFor,
    publishedKeyFor,
    switchedOff,
    wait: (seconds) =>
      new Promise((resolve) => {
        const stop = startRealTimer(seconds, resolve);
        void switchedOff.then(() => {
          stop();
          resolve();
        });
      }),
  };
}
