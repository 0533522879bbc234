/** What most servers are never asked for: the page of all calls, and the endpoint of agents. */

export { answerAgent } from "./agents/agent_server.ts";
export { createControlPage } from "./page/control_page.ts";
