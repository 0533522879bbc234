/** Runs test files on Node, in one process: `run_on_node.js REPORT FILES`. */
import process from "node:process";
import { pathToFileURL } from "node:url";
import { runCollectedTests } from "./node_runner.ts";

const [report = "", ...files] = process.argv.slice(2);
for (const file of files) await import(pathToFileURL(file).href);
await runCollectedTests(report);
