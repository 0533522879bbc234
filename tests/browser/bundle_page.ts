/** Builds the script of a page from a program that imports packages, and asks whether older browsers run one, with esbuild. */

import { assertEquals } from "@std/assert";
import { resolve } from "node:path";

/** It finds the packages of `folder`. */
export async function bundlePage(contents: string, folder = "."): Promise<string> {
  const args = ["--bundle", "--format=esm", "--minify", '--define:process.env.NODE_ENV="production"'];
  const { code, stdout, stderr } = await runEsbuild([...args, "--log-level=error"], contents, folder);
  assertEquals([code, stderr], [0, ""]);
  return stdout;
}

/** Returns what ES2020 lacks, the target that Vite 5 and 6 take by themselves. Empty: they build the program. */
export async function lackOfOldTarget(program: string): Promise<string> {
  const { stderr } = await runEsbuild(["--target=es2020", "--loader=ts", "--log-level=error"], program);
  return stderr;
}

/** The process of esbuild has ended then, unlike that of its function. */
async function runEsbuild(
  args: readonly string[],
  contents: string,
  cwd = ".",
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const child = new Deno.Command(resolve("node_modules/.bin/esbuild"), {
    cwd,
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  await new Response(contents).body!.pipeTo(child.stdin);
  const { code, stdout, stderr } = await output;
  const decode = (octets: Uint8Array) => new TextDecoder().decode(octets);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}
