/** The page's file for agents: with it, each agent of a Node that knows a proxy goes through it. */

import { assertEquals } from "@std/assert";
import { currentNode, obtainRuntime } from "../../scripts/runtimes.ts";
import { createFolder } from "../in_folder.ts";
import { test } from "../runner.ts";
import { runWith } from "../tools/cli/proxy/run_with_file.ts";

const program = `
import { Agent, get } from "node:https";
class Own extends Agent {
  createConnection(options, done) {
    return super.createConnection(options, done);
  }
}
for (const agent of [false, new Agent(), new Own(), undefined]) {
  const asked = get("https://github.com/login/oauth/access_token", { agent });
  const answer = await new Promise((resolve, reject) => asked.on("response", resolve).on("error", reject));
  console.log(answer.statusCode);
  answer.destroy();
}
`;

test("proxy: with the page's file for agents, each agent of Node goes through it", async () => {
  await using path = await createFolder();
  const suits = (found: string) => Number.parseInt(found) > 24;
  const { path: node } = await obtainRuntime({ ...currentNode, suits });
  const answered = await runWith("use_agent.mjs", { path, node, program });
  assertEquals(answered, "405\n".repeat(4));
});
