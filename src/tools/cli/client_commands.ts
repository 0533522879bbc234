/** The subcommands that log in at a server. */

export { token } from "./token.ts";
export { visit } from "./visit.ts";
