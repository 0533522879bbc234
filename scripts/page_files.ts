/**
 * Builds src/server/pages/scripts/*.ts and src/server/pages/styles/*.css into static/, which is committed: what a browser loads has no
 * comments and no white space. With `--check` it only compares them.
 */
import { bundle } from "./bundle.ts";
import { type MadeTerms, saveOrCompare } from "./made_files.ts";

const built = "static";

for (const [folder, ending] of [["scripts", ".js"], ["styles", ".css"]] as const) {
  await make(`src/server/pages/${folder}`, ending);
}

async function make(sources: string, ending: MadeTerms["ending"]): Promise<void> {
  const { outputFiles = [] } = await bundle({
    entryPoints: [...Deno.readDirSync(sources)].filter(({ isFile }) => isFile).map(({ name }) =>
      `${sources}/${name}`
    ),
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
