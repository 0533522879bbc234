/** Checks the types of the programs of all pages at once, because each start of a compiler takes seconds. */

import { compile, inProject, runtimes, runToEnd } from "../package/project.ts";
import { type Block, readPage, type Way } from "./blocks.ts";
import { findPackages, writeDenoConfiguration, writePrograms } from "./page_project.ts";
import { type Program, readPrograms } from "./programs.ts";

interface Page {
  /** The path of the page as the name of a folder, which a message of the compiler shows. */
  readonly folder: string;
  readonly blocks: readonly Block[];
  readonly programs: readonly Program[];
}

/** Checks the programs of Node and browsers as npm projects do, those of Bun with its types, the others with Deno. */
export async function checkTypes(paths: readonly string[]): Promise<void> {
  const pages = paths.map((path): Page => {
    const blocks = readPage(path);
    return { folder: path.replaceAll("/", "_").replace(/\.md$/, ""), blocks, programs: readPrograms(blocks) };
  });
  const find = (isMeant: (program: Program) => boolean) =>
    pages.flatMap(({ folder, programs }) =>
      programs.filter((program) => program.name.endsWith(".ts") && isMeant(program))
        .map(({ name }) => `${folder}/${name}`)
    );
  const runsOnly = ({ ways }: Program, ...those: readonly Way[]) =>
    ways.length > 0 && ways.every((way) => those.includes(way));
  const isOfBun = (program: Program) => runsOnly(program, "bun", "bun:test");
  const isOfDeno = (program: Program) => runsOnly(program, "deno", "deno:test");
  // The tests of the types check the declarations of the package.
  const skipLibCheck = true;
  await inProject(
    { packages: await findPackages(pages.flatMap(({ blocks }) => blocks)) },
    async (project) => {
      await writeDenoConfiguration(project);
      for (const { folder, blocks, programs } of pages) {
        await writePrograms(project.path(folder), blocks, programs);
      }
      const others = find((program) => !isOfBun(program) && !isOfDeno(program));
      await compile(project, others, { resolution: "nodenext", platform: "dom and node", skipLibCheck });
      await compile(project, find(isOfBun), { resolution: "bundler", platform: "bun", skipLibCheck });
      const forDeno = find(({ ways }) => ways.some((way) => way.startsWith("deno")));
      await runToEnd(forDeno, { command: [runtimes.deno.path, "check", "--quiet"], cwd: project.folder });
    },
  );
}
