/** A project as a page of the documentation describes it: npm installs the packages that the page names, and the package. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Block, readBlocks } from "../documentation/blocks.ts";
import { createFolder } from "../in_folder.ts";
import { build, type Project, root, runToEnd } from "./project.ts";

export interface InstalledPageOptions {
  /** The path of the page. */
  readonly page: string;
  /** The versions of the packages that npm installs because the page or another package asks for them. */
  readonly versions: Readonly<Record<string, string>>;
  /** What takes the place of words of the page. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** Writes the files that the page shows into a folder, and installs the packages. */
export async function inInstalledPage(
  { page, versions, replaced = {} }: InstalledPageOptions,
  work: (project: Project) => Promise<void>,
): Promise<void> {
  await build();
  const shown = await readFile(`${root}${page}`, "utf8");
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  await using path = await createFolder();
  const text = Object.entries(replaced).reduce((rest, [from, to]) => rest.replaceAll(from, to), shown);
  await writeFiles(readBlocks(page, text), path);
  const description = { private: true, type: "module", overrides: versions };
  await writeFile(path("package.json"), JSON.stringify(description));
  const wanted = listPackages(shown).map((name) => {
    if (versions[name] === undefined) {
      throw new Error(`${page} installs ${name}: give the test its version`);
    }
    return `${name}@${versions[name]}`;
  });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const packed = `${root}dist/postern-${version}.tgz`;
  await runToEnd([...flags, packed, ...wanted], { command: ["npm", "install"], cwd: path(".") });
  await work({ folder: path("."), path });
}

async function writeFiles(blocks: readonly Block[], path: Project["path"]): Promise<void> {
  for (const { name, text } of blocks) {
    if (name === undefined) continue;
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
}

/** The packages after `npm install`, in a command or in a sentence. */
function listPackages(text: string): readonly string[] {
  const commands = text.matchAll(/\bnpm install (?:--save-dev )?([^`\n]+)/g);
  return [...new Set([...commands].flatMap(([, names = ""]) => names.split(" ")))];
}
