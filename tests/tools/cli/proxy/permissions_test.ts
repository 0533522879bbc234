/** `start --proxy-others` with the permissions of its task. */

import { assertEquals } from "@std/assert";
import { get } from "node:http";
import { findFreePort } from "../../../free_port.ts";
import { withHome } from "../../../portable/tools/cli/tls/world.ts";
import { test } from "../../../runner.ts";
import { createProgram, withServer } from "../command.ts";

test("proxy: the task of a server lets it find out that an address is its own", async () => {
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const flags = ["--like", "github", "--proxy", `${port}`, "--proxy-others"];
    await withServer(flags, async () => {
      const path = `http://127.0.0.1:${port}/`;
      const status = await new Promise((resolve, reject) => {
        const request = get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        request.once("error", reject);
      });
      assertEquals(status, 403);
    }, createProgram(["start", ...flags], env));
  });
});
