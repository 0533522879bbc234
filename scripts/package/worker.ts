/**
 * Makes the service worker. A worker of this kind takes no modules in every browser, so each part becomes a function in a
 * script, which runs when another part first needs it. The worker loads all scripts when it is installed, because a
 * browser gives it no others later.
 */
import { stop, transform } from "esbuild";
import { bundleInParts } from "./browser.ts";
import { worker } from "./entries.ts";

/** Writes `postern-worker.js` and the folder with its parts. */
export async function buildWorker(folder: string, version: string): Promise<void> {
  const { outputFiles } = await bundleInParts(worker, folder, version);
  const parts = await Promise.all(
    outputFiles.map(async ({ path, text }) => ({ name: nameOf(path), code: await toFunction(text) })),
  ).finally(stop);
  const isEntry = ({ name }: { readonly name: string }) => name === `${worker.file}.js`;
  const others = parts.filter((each) => !isEntry(each));
  await Deno.mkdir(`${folder}/${worker.file}`, { recursive: true });
  for (const { name, code } of others) {
    await Deno.writeTextFile(`${folder}/${worker.file}/${name}`, `posternPart("${name}",${code});\n`);
  }
  const { code } = parts.find(isEntry)!;
  await Deno.writeTextFile(
    `${folder}/${worker.file}.js`,
    `// postern ${version}\n${
      writeLoader(others.map(({ name }) => name))
    }\nposternPart("",${code});\nposternRun("");\n`,
  );
}

function nameOf(path: string): string {
  return path.replace(/^.*[\\/]/, "");
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
