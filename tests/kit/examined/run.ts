/** `run.js FOLDER/NAME.json …`: examines libraries, and writes the card of each into its file. Runs on Node. */

import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
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

function describeRun({ package: name, dependsOn = [] }: Pick<Examined, "package" | "dependsOn">) {
  const folder = `node_modules/${name}`;
  const dependencies = dependsOn.map((each) => `${each} ${versionIn(findDependency(each, folder))}`).join(
    ", ",
  );
  return {
    version: versionIn(folder),
    date: new Date().toISOString().slice(0, 10),
    ...(dependencies === "" ? {} : { dependencies }),
  };
}

function versionIn(folder: string): string {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).version;
}

/** Returns the folder that the package gets: it may be another version than ours. */
function findDependency(name: string, folder: string): string {
  const paths = createRequire(`${realpathSync(folder)}/package.json`).resolve.paths(name) ?? [];
  const found = paths.map((path) => `${path}/${name}`).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${folder} has no package ${name}`);
  return found;
}
