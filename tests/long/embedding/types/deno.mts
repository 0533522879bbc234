/** Deno only: its test runner proves a store, and its listener runs a server. */

import { createServer } from "postern";
import { prove } from "./server_uses.mts";

prove(Deno.test);

const server = createServer();
Deno.serve(server.fetch);
// for `deno serve`
const served: Deno.ServeDefaultExport = server;
export default served;
