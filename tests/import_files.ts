/** Registers the tests of the files that POSTERN_TEST_FILES names. On Node and Bun, it is bundled beside their bundles. */
import process from "node:process";
import { bundleOf } from "../scripts/test/bundle_of.ts";
import { enterFile, runtime } from "./runner.ts";

// Without this, Node starts the first test while files are still loading, and a library that a test requires fails if a
// file is importing it at the same moment.
let begin = () => {};
const loaded = new Promise<void>((resolve) => begin = resolve);
if (runtime === "node") (await import("node:test")).before(() => loaded);

const files: readonly string[] = JSON.parse(process.env["POSTERN_TEST_FILES"] ?? "[]");
for (const file of files) {
  enterFile(file);
  await import(new URL(runtime === "deno" ? `../${file}` : bundleOf(file), import.meta.url).href);
}
begin();
