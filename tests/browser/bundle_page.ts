/** Builds the script of a page from a program that imports packages, with esbuild. */

import { assertEquals } from "@std/assert";
import { resolve } from "node:path";

/** It finds the packages of `folder`. The process of esbuild has ended then, unlike that of its function. */
export async function bundlePage(contents: string, folder = "."): Promise<string> {
  const child = new Deno.Command(resolve("node_modules/.bin/esbuild"), {
    cwd: folder,
    args: ["--bundle", "--format=esm", "--minify", '--define:process.env.NODE_ENV="production"'],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.output();
  await new Response(contents).body!.pipeTo(child.stdin);
  const { code, stdout } = await output;
  assertEquals(code, 0);
  return new TextDecoder().decode(stdout);
}
