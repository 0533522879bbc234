/** The subcommands that write files. */

export { init } from "./init.ts";
export { schema } from "./schema.ts";
export { trust } from "./trust.ts";
