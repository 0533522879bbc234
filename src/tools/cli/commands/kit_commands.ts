/** The subcommands for which the catalogue of misbehaviours is needed, and the help that has its names. */

export { examine } from "./examine.ts";
export { examineApiCommand } from "./examine_api.ts";
export { explainWord } from "./explain_word.ts";
export { learn } from "./learn.ts";
export { mcp } from "./mcp.ts";
export { misbehaviours } from "./misbehaviours.ts";
