/** The values that misbehaviours use. */

import type { Tools } from "../../misbehaviours/misbehaviour.ts";
import { startRealTimer } from "../../runtime/real_timer.ts";
import type { MisbehaviourSources } from "./sources.ts";
import { foreignKeyFor } from "../../misbehaviours/foreign_keys.ts";

export function createTools(sources: MisbehaviourSources, switchedOff: Promise<void>): Tools {
  return {
    get issuer() {
      return sources.issuer;
    },
    get decoy() {
      return sources.decoy;
    },
    now: sources.now,
    findPast: sources.findPast,
    findFuture: sources.findFuture,
    revoke: sources.revoke,
    foreignKeyFor,
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
