/** Runs test files on Node, in one process: `run_on_node.js FILES`. */
import { before } from "node:test";
import process from "node:process";
import { pathToFileURL } from "node:url";

// Without this, Node starts the first test while files are still loading, and a library that a test requires fails if a
// file is importing it at the same moment.
let begin = () => {};
const loaded = new Promise<void>((resolve) => begin = resolve);
before(() => loaded);

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
begin();
