/**
 * `deno run scripts/promises.ts [FOLDER…]` fails if a source leaves a promise alone: nothing waits for it, its failure ends the
 * process, and the test that it stands in proves nothing. Without a folder it reads the sources, the scripts and the tests.
 */
import { resolve } from "node:path";
import { developerOptions } from "./compiler_options.ts";
import { openProject } from "./open_project.ts";
import { findUnawaited } from "./unawaited.ts";

const root = Deno.cwd();
const folders = Deno.args.length > 0 ? Deno.args : ["src", "scripts", "tests"];
const { imports } = JSON.parse(await Deno.readTextFile("dev.json")) as { imports: Record<string, string> };
const own = Object.entries({ ...imports, "@std/assert": "./tests/std_assert/mod.ts" })
  .filter(([, target]) => target.startsWith("./"));
await using project = await openProject({
  compilerOptions: {
    ...developerOptions(root),
    paths: Object.fromEntries(own.map(([name, target]) => [name, [resolve(target)]])),
  },
  include: folders.flatMap((folder) => ["ts", "tsx"].map((ending) => resolve(folder, "**", `*.${ending}`))),
});
const found = await project.read(async (project) =>
  await Promise.all(
    project.rootFiles.map(async (path) =>
      (await findUnawaited(project, path)).map(({ line, text }) =>
        `${path.replace(`${root}/`, "")}:${line} ${text}`
      )
    ),
  )
);
for (const each of found.flat()) console.log(`Await this promise, keep it, or handle its failure: ${each}`);
if (found.flat().length > 0) Deno.exitCode = 1;
