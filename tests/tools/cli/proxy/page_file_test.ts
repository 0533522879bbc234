/** The file of the page for Node 20: with it, a fetch of Node reaches the hosts of the provider, also with a Content-Length of its own. */

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
  const { text } = readPage("docs/look_like_a_provider.md").find(({ name }) => name === "use_proxy.mjs")!;
  writeFileSync(path("use_proxy.mjs"), text);
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const flags = ["--like", "github", "--proxy", `${port}`];
    await withServer(flags, async ({ printed }) => {
      const [, , file = ""] = await printed(/PROXY_CA=(['"]?)(.+?bundle\.pem)\1$/m);
      const { stdout } = await promisify(execFile)("node", ["--input-type=module", "--eval", program], {
        env: {
          ...process.env,
          HTTPS_PROXY: `http://localhost:${port}`,
          NODE_EXTRA_CA_CERTS: file,
          NODE_OPTIONS: `--import=file://${encodeURI(path("use_proxy.mjs"))}`,
        },
      });
      assertEquals(stdout, "400\n400\n");
    }, createProgram(["start", ...flags], env));
  });
});
