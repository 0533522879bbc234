/** What Node, Deno and Bun have for assertions. */
export { default as strict } from "node:assert/strict";
export { inspect } from "node:util";
