/** Opens a page in the user's browser. */

import { spawn } from "node:child_process";
import process from "node:process";
import { findRuntimeName } from "../../../server/runtime/runtime_name.ts";

/** Resolves to a message if no browser can be opened. */
export async function openBrowser(url: string): Promise<string | undefined> {
  const [name, ...args] = findOpener(url, process.platform);
  const open = findRuntimeName() === "deno" ? runOnDeno : run;
  const problem = await open(name, args).catch((error: Error) => error.message);
  return problem && `cannot open a browser here: ${problem}; the page is ${url}`;
}

/**
 * Returns a program that takes the URL as one word. `cmd` would run what follows a `&` in it. On Windows, a name without
 * its folder could be that of a program in the current one. The tasks of deno.json allow Deno to run these programs.
 */
export function findOpener(url: string, platform: string): readonly [name: string, ...args: string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") {
    return ["C:/Windows/System32/rundll32.exe", "url.dll,FileProtocolHandler", url];
  }
  return ["xdg-open", url];
}

/** Uses no `spawn`, which would give the program an empty environment under --ignore-env, without DISPLAY. */
async function runOnDeno(name: string, args: readonly string[]): Promise<string | undefined> {
  // Without the permission, Deno would ask for it in the terminal.
  const { state } = await Deno.permissions.query({ name: "run", command: name });
  if (state !== "granted") return `there is no ${name}, or no --allow-run=${name} for it`;
  const child = new Deno.Command(name, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  child.unref();
  const { code } = await child.status;
  return code === 0 ? undefined : describeEnd(name, code);
}

function run(name: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: "ignore", detached: true });
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code) => resolve(code === 0 ? undefined : describeEnd(name, code)));
    child.unref();
  });
}

function describeEnd(name: string, code: number | null): string {
  return `${name} ended with ${code}`;
}
