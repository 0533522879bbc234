/** What a page has in place of Node's functions for assertions. */
import * as strict from "./page_assertions.ts";

export { strict };
export { show as inspect } from "./page_assertions.ts";
