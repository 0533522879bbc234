/** Builds src/pages/scripts/*.ts into static/*.js, which are committed. With `--check` it only compares them. */
import { bundle } from "./bundle.ts";
import { saveOrCompare } from "./made_files.ts";

const sources = "src/pages/scripts", built = "static";

const { outputFiles = [] } = await bundle({
  entryPoints: [...Deno.readDirSync(sources)].filter(({ isFile }) => isFile).map(({ name }) =>
    `${sources}/${name}`
  ),
  outdir: built,
  platform: "browser",
  target: "es2022",
  write: false,
});
const pathOf = (path: string) => `${built}/${path.split(/[\\/]/).at(-1)}`;
const made = new Map(outputFiles.map(({ path, text }) => [pathOf(path), text]));
await saveOrCompare(made, { folder: built, ending: ".js", task: "scripts" });
