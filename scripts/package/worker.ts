/**
 * Makes the service worker. A worker of this kind takes no modules in every browser, so each part becomes a function in a
 * script, which runs when another part first needs it. The worker loads all scripts when it is installed, because a
 * browser gives it no others later.
 */
import { stop, transform } from "esbuild";
import { basename } from "node:path";
import { bundleInParts } from "./browser.ts";
import { worker } from "./entries.ts";

/** Writes `postern-worker.js` and the folder with its parts. */
export async function buildWorker(folder: string, version: string): Promise<void> {
  await Deno.mkdir(`${folder}/${worker.file}`, { recursive: true });
  for (const [path, text] of await makeWorker(version)) await Deno.writeTextFile(`${folder}/${path}`, text);
}

/** Returns the texts of the files by their paths. */
export async function makeWorker(version: string): Promise<ReadonlyMap<string, string>> {
  const modules = await bundleInParts(worker, version);
  const parts = await Promise.all(
    modules.map(async ({ fileName, code }) => ({ name: basename(fileName), code: await toFunction(code) })),
  ).finally(stop);
  const entry = `${worker.file}.js`;
  const others = parts.filter(({ name }) => name !== entry);
  const { code } = parts.find(({ name }) => name === entry)!;
  return new Map([
    ...others.map(({ name, code }) =>
      [`${worker.file}/${name}`, `posternPart("${name}",${code});\n`] as const
    ),
    [
      entry,
      `// postern ${version}\n${
        writeLoader(others.map(({ name }) => name))
      }\nposternPart("${entry}",${code});\nposternRun("${entry}");\n`,
    ],
  ]);
}

/** An imported part becomes a call of `require`, also where it is imported late. */
async function toFunction(module: string): Promise<string> {
  const { code } = await transform(module, {
    format: "cjs",
    target: "es2024",
    supported: { "dynamic-import": false },
    minify: true,
    legalComments: "none",
    charset: "utf8",
  });
  return `function(require,module,exports){${code}}`;
}

function writeLoader(names: readonly string[]): string {
  return `const posternParts = new Map(), posternLoaded = new Map();
function posternPart(name, define) { posternParts.set(name, define); }
function posternRun(path) {
  const name = path.replace(/^.*\\//, "");
  const known = posternLoaded.get(name);
  if (known !== undefined) return known.exports;
  if (!posternParts.has(name)) importScripts(new URL("${worker.file}/" + name, location.href).href);
  const module = { exports: {} };
  posternLoaded.set(name, module);
  posternParts.get(name)(posternRun, module, module.exports);
  return module.exports;
}
addEventListener("install", () => importScripts(...${
    JSON.stringify(names)
  }.map((name) => new URL("${worker.file}/" + name, location.href).href)));`;
}

if (import.meta.main) {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  await buildWorker(Deno.args[0]!, version);
}
