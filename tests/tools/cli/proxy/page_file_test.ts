/** The file of the page for Node 20: with it, a fetch of Node reaches the hosts of the provider, also with a Content-Length of its own. */

import { assertEquals } from "@std/assert";
import { readdirSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { createFolder } from "../../../in_folder.ts";
import { test } from "../../../runner.ts";
import { runWith } from "./run_with_file.ts";

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
