/**
 * Builds the scripts and sheets of the pages into static/, which is committed: what a browser loads has no comments and no
 * white space. A script is a file in a folder scripts/, and a sheet is a file with the ending .css. With `--check`
 * it only compares them.
 */
import { bundle } from "./bundle.ts";
import { type MadeOptions, saveOrCompare } from "./made_files.ts";

const built = "static";
const sources = ["src/server/pages", "src/kit/timeline", "src/tools"].flatMap((
  folder,
) => [...listFiles(folder)]);

await make(sources.filter((path) => /\/scripts\/\w+\.ts$/.test(path)), ".js");
await make(sources.filter((path) => path.endsWith(".css")), ".css");

async function make(entryPoints: readonly string[], ending: MadeOptions["ending"]): Promise<void> {
  const { outputFiles = [] } = await bundle({
    entryPoints: [...entryPoints],
    outdir: built,
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    minify: true,
    write: false,
  });
  const pathOf = (path: string) => `${built}/${path.split(/[\\/]/).at(-1)}`;
  const made = new Map(outputFiles.map(({ path, text }) => [pathOf(path), text]));
  await saveOrCompare(made, { folder: built, ending, task: "scripts" });
}

function* listFiles(folder: string): Iterable<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* listFiles(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}
