/** `run.js FOLDER NAMES`: examines libraries, and writes a file with the card of each. Runs on Node. */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { examined } from "./all.ts";
import { examineLibrary } from "./examine_library.ts";

const [folder, ...names] = process.argv.slice(2);
for (const name of names) {
  const library = examined[name]!;
  const { version } = JSON.parse(readFileSync(`node_modules/${library.package}/package.json`, "utf8"));
  const card = await examineLibrary(library, version);
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(card, null, 2)}\n`);
  console.log(`${name}: ${card.rows.length} misbehaviours in the phases ${card.phases.join(", ")}`);
}
