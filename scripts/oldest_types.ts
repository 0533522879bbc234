/**
 * Checks the types of the sources against the oldest runtimes: the library of ES2023 with the types of Node 20, and the
 * types of Bun. What the oldest runtime lacks does not compile. `scripts/oldest/later.d.ts` has the exceptions.
 */
import { compilerOptions } from "./compiler_options.ts";
import { runProgram } from "./run_program.ts";
import { entries } from "./package/entries.ts";

const folder = "dist/oldest";
const packages = (name: string) => `${Deno.cwd()}/node_modules/.deno/${name}/node_modules`;

// the versions of dev.json
const { imports } = JSON.parse(await Deno.readTextFile("dev.json")) as { imports: Record<string, string> };
const versionOf = (name: string) => /@([^@]+)$/.exec(imports[name]!)![1];

const typesOf: Readonly<Record<string, readonly [typeRoot: string, name: string]>> = {
  "Node 20": [`${packages(`@types+node@${versionOf("types-node-20")}`)}/@types`, "node"],
  "Bun": [packages(`bun-types@${versionOf("bun-types")}`), "bun-types"],
};

const shared = {
  ...compilerOptions,
  target: "ES2023",
  // Node 20 and Bun have toWellFormed.
  lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
  module: "esnext",
  moduleResolution: "bundler",
  preserveSymlinks: true,
};

// Beside the sources stand declarations of the scripts of pages and the printed programs, which are imported as text.
await Deno.remove(folder, { recursive: true }).catch(() => {});
await Deno.mkdir(`${folder}/static`, { recursive: true });
for (const name of ["src", "scripts", "deno.json"]) {
  await Deno.symlink(Deno.realPathSync(name), `${folder}/${name}`);
}
for (const { name } of Deno.readDirSync("static")) {
  const declaration = "declare const text: string;\nexport default text;\n";
  if (name.endsWith(".json")) await Deno.copyFile(`static/${name}`, `${folder}/static/${name}`);
  if (name.endsWith(".js")) {
    await Deno.writeTextFile(`${folder}/static/${name.replace(/\.js$/, ".d.ts")}`, declaration);
  }
}
const printed = new Set(
  ["printed", "drivers"].flatMap((each) =>
    [...Deno.readDirSync(`src/tools/cli/forms/${each}`)].map(({ name }) =>
      `declare module "*/${name}" {\n  const text: string;\n  export default text;\n}\n`
    )
  ),
);
await Deno.writeTextFile(`${folder}/printed.d.ts`, [...printed].join("\n"));
const sources = [
  "scripts/oldest/later.d.ts",
  "printed.d.ts",
  ...entries.map(({ source }) => source),
  "src/tools/cli/main.ts",
];
const sqlite = `${packages(`@types+node@${versionOf("@types/node")}`)}/@types/node/sqlite.d.ts`;
let hasFailed = false;
for (const [runtime, [typeRoot, types]] of Object.entries(typesOf)) {
  const path = `${folder}/${runtime.toLowerCase().replace(" ", "_")}.json`;
  const options = { ...shared, typeRoots: [typeRoot], types: [types] };
  const files = [...(runtime === "Bun" ? [] : [sqlite]), ...sources];
  await Deno.writeTextFile(path, JSON.stringify({ compilerOptions: options, files }, undefined, 2));
  const { success, output } = await runProgram("node_modules/.bin/tsc", ["--project", path]);
  if (success) continue;
  hasFailed = true;
  console.error(`With the types of ${runtime}:\n${output.trim()}`);
}
if (hasFailed) Deno.exit(1);
