/** The subcommands for which the catalogue of misbehaviours is needed. */

export { examine } from "./examine.ts";
export { examineApiCommand } from "./examine_api.ts";
export { misbehaviours } from "./misbehaviours.ts";
