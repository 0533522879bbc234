/** Says in sentences what a client does in its run without a fault. */

import { type Phase, phases as allPhases } from "../faults/misbehaviour.ts";

const sentences: Readonly<Record<Phase, readonly [has: string, lacks: string]>> = {
  login: ["logs in", "does not log in"],
  refresh: ["refreshes its tokens", "does not refresh its tokens"],
  call_api: ["calls the API", "does not call the API"],
  logout: [
    "signs the person out or revokes its tokens",
    "neither signs the person out nor revokes its tokens",
  ],
  register: ["registers itself", "does not register itself"],
};

/**
 * Returns a sentence for each phase that was tried: "The client logs in. It does not call the API." Where the client fails
 * although the server is right, it says that.
 */
export function describePhases(
  phases: readonly Phase[],
  tried: readonly Phase[] = allPhases,
  unfinished: readonly Phase[] = [],
): string {
  return allPhases.filter((phase) => tried.includes(phase)).map((phase, index) => {
    const [has, lacks] = sentences[phase];
    const does = unfinished.includes(phase) ? `fails where it ${has}` : phases.includes(phase) ? has : lacks;
    return `${index === 0 ? "The client" : "It"} ${does}.`;
  }).join(" ");
}

/** Returns for example "refreshes its tokens". */
export function whatPhaseDoes(phase: Phase): string {
  return sentences[phase][0];
}

/** Says why a misbehaviour of this phase was not tried. */
export function explainMissing(phase: Phase): string {
  return `The client has no phase ${phase}: it ${sentences[phase][1]}.`;
}
