/**
 * Keeps the modules that a test loads in a few files. esbuild makes a file for each set of modules that the same entry
 * points share, and every module that is imported at run time is an entry point. It would make 20 small files, and Node
 * needs 0.4 ms to load each. If nearly all entry points import the shared modules, they are one set. What only the test
 * kit needs is another set, because a server does not load it.
 */
import { resolve } from "node:path";
import type { Metafile, Plugin } from "esbuild";

const kit = "src/kit/mod.ts";

/** Entry points that are started without the server, and stay small. */
const small = /^src\/(tools\/cli\/main|server\/store\/contract)\.ts$/;

/** The modules of the test kit. A server without it uses the journal, too. */
const ofKitFolders = /^src\/(kit\/(mock\/(?!journal\/)|examine\/|runners\/)|tools\/control\/)/;

/** Takes the metafile of a build without this plugin. */
export function inFewFiles({ inputs, outputs }: Metafile): Plugin {
  const entryPoints = Object.values(outputs).map(({ entryPoint = "" }) => entryPoint)
    .filter((path) => /\.tsx?$/.test(path) && !small.test(path));
  const loaded = new Map(entryPoints.map((path) => [path, findLoaded(path, inputs)]));
  /** These are loaded only together with the test kit, or load it. */
  const isOfKit = (path: string) => ofKitFolders.test(path) || loaded.get(path)!.has("src/kit/mock/mock.ts");
  const others = new Set(
    entryPoints.filter((path) => !isOfKit(path)).flatMap((path) => [...loaded.get(path)!]),
  );
  const ofKit = [...findLoaded(kit, inputs)];
  const shared = ofKit.filter((path) => others.has(path));
  const sets = listSets(inputs, new Set(ofKit));
  const added = new Map(entryPoints.map((path) => {
    const own = sets.filter((set) => !set.has(path) && [...loaded.get(path)!].some((each) => set.has(each)));
    return [resolve(path), importAll([...isOfKit(path) ? ofKit : shared, ...own.flatMap((set) => [...set])])];
  }));
  return addImports(added);
}

/** Adds imports to modules, by their absolute paths. */
function addImports(added: ReadonlyMap<string, string>): Plugin {
  return {
    name: "few files",
    setup({ onLoad }): void {
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const imports = added.get(path);
        if (imports === undefined) return undefined;
        const contents = `${await Deno.readTextFile(path)}\n${imports}`;
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

/**
 * Returns sets without a common module. An entry point that imports a module of one imports all of it: what both a server
 * and `postern start` have, the pages, and the rest of a start.
 */
function listSets(inputs: Metafile["inputs"], taken: Set<string>): readonly ReadonlySet<string>[] {
  const started = findLoaded("src/tools/cli/start/start.ts", inputs);
  const ofServer = [...findLoaded("src/mod.ts", inputs)];
  const ofPages = [...findLoaded("src/server/pages/mod.ts", inputs)];
  const wanted = [
    ofServer.filter((path) => started.has(path)),
    ofPages.filter((path) => /^(src\/server\/pages|static)\//.test(path) && !started.has(path)),
    [...started],
  ];
  return wanted.map((paths) => {
    const set = new Set(paths.filter((path) => !taken.has(path)));
    set.forEach((path) => taken.add(path));
    return set;
  });
}

/** Returns the modules that are loaded together with `path`. */
function findLoaded(
  path: string,
  inputs: Metafile["inputs"],
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const each of inputs[path]?.imports ?? []) {
    if (each.kind === "import-statement" && !each.external) findLoaded(each.path, inputs, found);
  }
  return found;
}

function importAll(paths: readonly string[]): string {
  return paths.filter((path) => /\.tsx?$/.test(path))
    .map((path) => `import ${JSON.stringify(resolve(path))};\n`).join("");
}
