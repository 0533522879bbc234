/** The server as one file, which every kit carries: it is started as kits/README.md says, on each runtime. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { bundleServer } from "../../../scripts/kits/bundle_server.ts";
import project from "../../../deno.json" with { type: "json" };
import { createFolder } from "../../in_folder.ts";
import { runtimes, succeed } from "../../package/project.ts";
import { start } from "../../tools/cli/command.ts";
import { runDeno } from "../../../scripts/run_program.ts";
import { test } from "../../runner.ts";

const { bun, deno, obtainRuntime, oldestNode } = runtimes;

const key = "a-key-that-only-the-kit-knows-0123456789";

const page = await readFile("kits/README.md", "utf8");
const flags = /^COMMAND (start .*)$/m.exec(page)![1]!.split(" ");
const [, ...ofDeno] = /`(deno run [^`]*) FILE`/.exec(page)![1]!.split(" ");

/** Starts the file as a kit does, and resolves to what its first line says and to how it ends. */
async function startAsKit(command: readonly [string, ...string[]]) {
  const [path, ...before] = command;
  const child = spawn(path, [...before, ...flags], {
    env: { ...process.env, NO_COLOR: "1", POSTERN_CONTROL_TOKEN: key },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const { value = "{}" } = await lines.next();
  return { child, ended, started: JSON.parse(value) as Readonly<Record<string, string>> };
}

for (
  const [name, findCommand] of Object.entries({
    "node 20": async (file: string) => [(await obtainRuntime(oldestNode)).path, file] as const,
    deno: (file: string) => [deno.path, ...ofDeno, file] as const,
    bun: async (file: string) => [(await obtainRuntime(bun)).path, file] as const,
  })
) {
  test(`kits: the server file names itself, starts on ${name}, obeys the key, and ends with its input`, async () => {
    await using path = await createFolder();
    const file = path("postern.mjs");
    await bundleServer(project.version, file);
    const command = await findCommand(file) as readonly [string, ...string[]];
    const { child, ended, started } = await startAsKit(command);
    assertEquals([started["message"], started["version"]], ["started", project.version]);
    const call = (headers: Record<string, string>) =>
      fetch(`${started["control"]}/login`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ username: "bob", scope: "openid" }),
      });
    const refused = await call({});
    assertEquals([refused.status, (await refused.json()).error], [401, "invalid_token"]);
    const { claims, access_token: token } = await (await call({ authorization: `Bearer ${key}` })).json();
    assertEquals(claims.sub, "bob");
    assertMatch(token, /^ey/);
    // the pages and their files are inside
    const { [0]: sheet = "" } =
      /[\w/.-]*postern\.css/.exec(await (await fetch(`${started["issuer"]}/`)).text()) ?? [];
    const { status, headers, body } = await fetch(new URL(sheet, started["issuer"]));
    assertEquals([status, headers.get("content-type")], [200, "text/css; charset=utf-8"]);
    await body?.cancel();
    child.stdin!.end();
    assertEquals(await ended, 0);
  });
}

test("kits: the server file has no other command, and says so", async () => {
  await using path = await createFolder();
  const file = path("postern.mjs");
  await bundleServer(project.version, file);
  const { path: node } = await obtainRuntime(oldestNode);
  const run = (...args: readonly string[]) => start(args, { command: [node, file] }).ended;
  assertMatch(
    (await succeed(start(["help", "start"], { command: [node, file] }))).stdout,
    /^ {2}--port PORT /m,
  );
  assertEquals(
    [await run("help", "pkce"), await run("token", "alice")].map((
      { code, stderr },
    ) => [code, stderr.split("\n")[0]]),
    [
      [2, 'postern: the server of a kit has no "help pkce": expected "help start", or the package of npm'],
      [2, 'postern: there is no command "token"'],
    ],
  );
});

test("kits: the generated files are those of the control plane, as deno task kits --check says", async () => {
  const { success, output } = await runDeno(
    ...["run", "--config", "dev.json", "--allow-all", "scripts/kits.ts", "--check"],
  );
  assert(success, output);
});
