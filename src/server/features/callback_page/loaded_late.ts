/** The requests of the callback page, which a server loads at the first one. */

export { answerStep } from "./answer_step.ts";
export { showOutcome } from "./show_outcome.ts";
export { showWalk } from "./show_walk.ts";
