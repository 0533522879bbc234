/** The subcommands that log in at a server, and those that write or explain files. */

export { diff } from "./diff.ts";
export { init } from "./init.ts";
export { print } from "./print.ts";
export { schema } from "./schema.ts";
export { token } from "./token.ts";
export { trust } from "./trust.ts";
export { visit } from "./visit.ts";
