/** The public API of the bundle for web pages: the server and the test kit, without Node, Deno or Bun. */

export * from "../../kit/mod.ts";
export { createServer, type Server } from "../../server/server.ts";
