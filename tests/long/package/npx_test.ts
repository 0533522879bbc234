/** A server that npx started ends with npx, and with no shell. */

import { assertEquals } from "@std/assert";
import { execFile } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import process from "node:process";
import { promisify } from "node:util";
import { type Program, type RunningServer, start, withServer } from "../../tools/cli/command.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { inProject, root, runtimes } from "../../package/project.ts";

/** Runs the work in a project where npx finds Postern and Deno, and needs no registry. */
function inInstalled(work: (folder: string) => Promise<void>): Promise<void> {
  return inProject({}, async ({ folder, path }) => {
    const bin = path("node_modules/.bin");
    await mkdir(bin);
    await chmod(path("node_modules/postern/cli.js"), 0o755);
    await symlink("../postern/cli.js", `${bin}/postern`);
    await symlink(runtimes.deno.path, `${bin}/deno`);
    await work(folder);
  });
}

/** The shell prints the id of npx. Arguments go where `"$@"` is. */
function inShell(script: string, cwd: string, env: Program["env"] = {}): Program {
  return { command: ["sh", "-c", script, "sh"], cwd, env, asGroup: true };
}

async function killNpx({ printed }: RunningServer, signal: NodeJS.Signals): Promise<void> {
  const [, pid] = await printed(/^pid (\d+)$/m);
  process.kill(Number(pid), signal);
}

async function requireAnswer({ port }: RunningServer): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/health`);
  assertEquals(response.status, 200, await response.text());
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const task = `deno task --config '${root}deno.json'`;

for (const [name, program] of [["npx postern", "postern"], ["npx deno task start", task]] as const) {
  // Debian's shell keeps a SIGINT to itself until the server has ended, so nothing can notice it.
  for (const [signal, shell] of [["SIGTERM", "sh"], ["SIGKILL", "sh"], ["SIGINT", "bash"]] as const) {
    test(`npx: ${signal} to "${name}", whose shell is ${shell}, ends the server`, () =>
      inInstalled(async (folder) => {
        const script = `echo "pid $$"; exec npx ${program} "$@"`;
        const env = { npm_config_script_shell: shell };
        await withServer([], async (server) => {
          await killNpx(server, signal);
          await server.ended;
        }, inShell(script, folder, env));
      }));
  }
}

const node = "node node_modules/postern/cli.js";

const commands = [
  ["npx postern start &", "npx postern", {}],
  ["postern start &", node, { npm_lifecycle_event: "" }],
  ["nohup postern start &", `nohup ${node}`, { npm_lifecycle_event: "" }],
  ["postern start &, in an editor that npx started", node, {
    npm_lifecycle_event: "npx",
    npm_lifecycle_script: "'code'",
  }],
] as const;
for (const [name, command, env] of commands) {
  test(`npx: "${name}" outlives its shell`, () =>
    inInstalled(async (folder) => {
      const waits = 'echo "shell $$"; until [ -e end ]; do sleep 0.1; done';
      const background = inShell(`${command} "$@" & ${waits}`, folder, env);
      await withServer([], async (server) => {
        const [, shell] = await server.printed(/^shell (\d+)$/m);
        await writeFile(`${folder}/end`, "");
        while (isRunning(Number(shell))) await requireAnswer(server);
        // The other server notices the end of its npx as often as this one would look.
        await withServer([], async (other) => {
          await killNpx(other, "SIGTERM");
          await other.ended;
        }, inShell('echo "pid $$"; exec npx postern "$@"', folder));
        await requireAnswer(server);
      }, background);
    }));
}

const overtaken = "npx: a server ends whose npx ended before the server had started";

// Elsewhere, a process without its parent goes to a process that no rule knows.
if (await findParentOfOrphans() !== 1) test.skip(overtaken, "the first process does not take orphans over");
else {
  test(overtaken, () =>
    inInstalled(async (folder) => {
      const env = { npm_lifecycle_event: "npx", npm_lifecycle_script: "'postern'" };
      const args = ["start", "--port", `${await findFreePort()}`, "--alg", "ES256"];
      const { code, stderr } = await start(args, inShell(`${node} "$@" &`, folder, env)).ended;
      assertEquals([code, stderr], [0, ""]);
    }));
}

/** Starts a process whose parent ends, and returns its next parent. */
async function findParentOfOrphans(): Promise<number> {
  const look = "ps -o ppid= -p $$";
  const orphan = `until [ $(${look}) -ne $OUTER ]; do :; done; ${look}`;
  const env = { ...process.env, ORPHAN: orphan };
  const { stdout } = await promisify(execFile)("sh", ["-c", 'OUTER=$$ sh -c "$ORPHAN" &'], { env });
  return Number(stdout);
}
