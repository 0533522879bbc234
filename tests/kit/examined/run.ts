/** `run.js FOLDER/NAME.json …`: examines libraries, and writes the card of each into its file. Runs on Node. */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { examined } from "./all.ts";
import { examinedApis } from "./apis.ts";
import { examineApiLibrary, examineLibrary, formatLines } from "./examine_library.ts";
import type { Examined } from "./examined.ts";

for (const path of process.argv.slice(2)) {
  const [, name = ""] = /([^/]+)\.json$/.exec(path) ?? [];
  const library = examined[name];
  const card = library === undefined
    ? await examineApiLibrary(examinedApis[name]!, describeRun(examinedApis[name]!))
    : await examineLibrary(library, describeRun(library));
  writeFileSync(path, formatLines(card));
  console.log(`${name}: ${card.rows.length} misbehaviours in the phases ${card.phases.join(", ")}`);
}

function describeRun({ package: name }: Pick<Examined, "package">) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return { version, date: new Date().toISOString().slice(0, 10) };
}
