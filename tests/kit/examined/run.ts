/** `run.js FOLDER NAMES`: examines libraries, and writes a file with the card of each. Runs on Node. */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { examined } from "./all.ts";
import { examineLibrary, type LibraryCard } from "./examine_library.ts";

const [folder, ...names] = process.argv.slice(2);
for (const name of names) {
  const library = examined[name]!;
  const { version } = JSON.parse(readFileSync(`node_modules/${library.package}/package.json`, "utf8"));
  const card = await examineLibrary(library, { version, date: new Date().toISOString().slice(0, 10) });
  writeFileSync(`${folder}/${name}.json`, formatLines(card));
  console.log(`${name}: ${card.rows.length} misbehaviours in the phases ${card.phases.join(", ")}`);
}

/** Writes one line for each misbehaviour, so that a difference between two cards is easy to read. */
function formatLines({ rows, ...card }: LibraryCard): string {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`);
  return `${JSON.stringify(card, null, 2).replace(/\n\}$/, "")},\n  "rows": [\n${
    lines.join(",\n")
  }\n  ]\n}\n`;
}
