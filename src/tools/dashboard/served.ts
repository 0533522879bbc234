/** The dashboard of a server that listens, which `postern start` loads together. */

export { createDashboard } from "./dashboard.ts";
export { createWatchedServer, linkControl, watchMock } from "./watched_server.ts";
