/** What only Deno has: its runner for the store contract, and its listener for a server. */

import { createServer } from "postern";
import { prove } from "./server_uses.mts";

prove(Deno.test);

const server = createServer();
Deno.serve(server.fetch);
// For `deno serve`.
const served: Deno.ServeDefaultExport = server;
export default served;
