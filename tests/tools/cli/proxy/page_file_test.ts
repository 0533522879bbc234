/** The files of the page for Node: with them, a fetch of Node 20 and each agent reach the hosts of the provider. */

import { assertEquals } from "@std/assert";
import { execFile } from "node:child_process";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { readPage } from "../../../documentation/blocks.ts";
import { findFreePort } from "../../../free_port.ts";
import { createFolder } from "../../../in_folder.ts";
import { withHome } from "../../../portable/tools/cli/tls/world.ts";
import { test } from "../../../runner.ts";
import { currentNode, obtainRuntime } from "../../../../scripts/runtimes.ts";
import { createProgram, withServer } from "../command.ts";

const program = `
const headers = { "content-type": "application/x-www-form-urlencoded" };
for (const more of [{}, { "content-length": "3" }]) {
  const sent = { method: "POST", body: "a=b", headers: { ...headers, ...more } };
  const answer = await fetch(new Request("https://github.com/login/oauth/access_token", sent));
  console.log(answer.status);
}
`;

test("proxy: the page's file for Node 20 sends a fetch through it, also one with a Content-Length", async () => {
  await using path = await createFolder();
  const packages = readdirSync("node_modules/.deno").find((each) => each.startsWith("undici@7."))!;
  symlinkSync(resolve("node_modules/.deno", packages, "node_modules"), path("node_modules"), "junction");
  assertEquals(await runWith("use_proxy.mjs", { path, node: "node", program }), "400\n400\n");
});

const programWithAgents = `
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
  const answered = await runWith("use_agent.mjs", { path, node, program: programWithAgents });
  assertEquals(answered, "405\n".repeat(4));
});

interface Run {
  readonly path: (name: string) => string;
  readonly node: string;
  readonly program: string;
}

/** Runs a program in Node that has loaded a file of the page. Returns what it prints. */
async function runWith(file: string, { path, node, program }: Run): Promise<string> {
  const { text } = readPage("docs/look_like_a_provider.md").find(({ name }) => name === file)!;
  writeFileSync(path(file), text);
  let printed = "";
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const flags = ["--like", "github", "--proxy", `${port}`];
    await withServer(flags, async (server) => {
      const [, , bundle = ""] = await server.printed(/PROXY_CA=(['"]?)(.+?bundle\.pem)\1$/m);
      const { stdout } = await promisify(execFile)(node, ["--input-type=module", "--eval", program], {
        env: {
          ...process.env,
          HTTPS_PROXY: `http://localhost:${port}`,
          NODE_USE_ENV_PROXY: "1",
          NODE_EXTRA_CA_CERTS: bundle,
          NODE_OPTIONS: `--import=file://${encodeURI(path(file))}`,
        },
      });
      printed = stdout;
    }, createProgram(["start", ...flags], env));
  });
  return printed;
}
