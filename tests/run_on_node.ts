/** Runs test files on Node, in one process: `run_on_node.js FILES`. */
import process from "node:process";
import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
