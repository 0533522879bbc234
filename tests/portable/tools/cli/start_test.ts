/** `postern start` as a process: its banner, the browser that it opens, a taken port, and a store. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { runtime, test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import { start as startCommand } from "../../../../src/tools/cli/start/start.ts";
import { complaintOf, hasSqlite, run, startIn, withServer } from "../../../tools/cli/command.ts";
import { inFolder } from "../../../in_folder.ts";
import { findFreePort } from "../../../free_port.ts";

test("start: the banner has the issuer, the demo credentials and a link, in 88 columns", async () => {
  await withServer([], async ({ stdout, printed, port, issuer }) => {
    await printed(/OAUTH_REDIRECT_URI/);
    assertEquals(issuer, `http://localhost:${port}`);
    const lines = [
      /^ {2}Postern \d+\.\d+\.\d+$/m,
      /^ {2}Clients {3}demo {15}public, redirect URI http:/m,
      /^ {12}demo-confidential {2}client_secret_basic, secret demo-secret$/m,
      /^ {2}People {4}alice {2}Alice Adams, alice@example\.com$/m,
      new RegExp(`^ {2}Try it {4}${issuer}/start\\?client_id=demo$`, "m"),
      new RegExp(`^OAUTH_ISSUER=${issuer}$`, "m"),
    ];
    for (const line of lines) {
      assertMatch(stdout(), line);
    }
    assert(stdout().split("\n").every((line) => line.length <= 88), stdout());
    // deno-lint-ignore no-control-regex
    assert(!/\x1b/.test(stdout()), "colours only on a terminal");
    const page = await fetch(`http://127.0.0.1:${port}/start?client_id=demo`, { redirect: "manual" });
    assertEquals(page.status, 303);
    await page.body?.cancel();
  });
});

const it = testIn(inFolder);

it("start: without a browser, --open prints the address of the page", async (path) => {
  const running = startIn(path("."), ["--port", `${await findFreePort()}`, "--alg", "ES256", "--open"]);
  await running.printed(/^postern: cannot open a browser here: .+; the page is http:\/\/localhost:\d+$/m);
  running.signal("SIGTERM");
  assertEquals((await running.ended).code, 0);
});

/** Replaces the programs that open pages on Linux and macOS: these write down the address and $DISPLAY. */
async function writeBrowser(path: (name: string) => string): Promise<void> {
  for (const name of ["xdg-open", "open"]) {
    await writeFile(path(name), `#!/bin/sh\necho "$1 $DISPLAY" > "${path("opened")}"\n`, { mode: 0o755 });
  }
}

it("start: --open opens the front page, and passes on DISPLAY", async (path) => {
  await writeBrowser(path);
  const port = `${await findFreePort()}`;
  const args = ["--port", port, "--alg", "ES256", "--open"];
  const running = startIn(path("."), args, ["xdg-open", "open"]);
  await running.printed(/OAUTH_REDIRECT_URI/);
  let opened = "";
  while (opened === "") {
    await new Promise((resolve) => setTimeout(resolve, 10));
    opened = await readFile(path("opened"), "utf8").catch(() => "");
  }
  assertEquals(opened, `http://localhost:${port} :7\n`);
  running.signal("SIGTERM");
  const { code, stderr } = await running.ended;
  assertEquals([code, stderr], [0, ""]);
});

const lacksPermission = "start: --open without permission prints that, and does not prompt";
if (runtime !== "deno") test.skip(lacksPermission, "only Deno has permissions");
else {
  it(lacksPermission, async (path) => {
    await writeBrowser(path);
    const args = ["--port", `${await findFreePort()}`, "--alg", "ES256", "--open"];
    const running = startIn(path("."), args, ["another"]);
    await running.printed(
      /^postern: cannot open a browser here: there is no (\S+), or no --allow-run=\1 for it; the page is /m,
    );
    running.signal("SIGTERM");
    await running.ended;
  });
}

test("start: a port in use is reported with the flag that helps", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await run("--port", `${port}`);
  await new Promise((resolve) => other.close(resolve));
  assertMatch(
    stderr,
    new RegExp(
      `^postern: Port ${port} is taken \\(127\\.0\\.0\\.1:${port}\\): stop .*, or choose another port with --port\n$`,
    ),
  );
  assertEquals([code, stdout], [1, ""]);
});

test("start: --store sqlite:FILE on a runtime without SQLite names those that have it", async () => {
  assertMatch(
    await complaintOf(startCommand, "--store", "sqlite:/nowhere/postern.db"),
    hasSqlite
      ? /^1: --store sqlite:\/nowhere\/postern\.db: Cannot open the store /
      : /^1: --store sqlite:.*: SQLite needs Node 22\.13 or later, Deno, or Bun; this is Node 20\..*and so does the executable/,
  );
});
