/** The project in which the programs of pages are checked and run: its packages and its files. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Project, root } from "../package/project.ts";
import type { Block } from "./blocks.ts";
import type { Program } from "./programs.ts";

/** Files that describe a project. The tests have their own. */
const ofProject: ReadonlySet<string> = new Set(["package.json", "deno.json", "tsconfig.json"]);

/** Finds the packages of dev.json that the programs import. */
export async function findPackages(blocks: readonly Block[]): Promise<readonly string[]> {
  const { imports } = JSON.parse(await readFile(`${root}dev.json`, "utf8")) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  const text = blocks.map(({ text, words }) => `${words.join(" ")}\n${text}`).join("\n");
  const imported = Object.keys(imports).filter((name) =>
    !name.startsWith("postern") && imports[name]!.startsWith("npm:") &&
    new RegExp(`["']${name}(?:/[^"']*)?["']`).test(text)
  );
  const runners = [
    ...(/\bvitest\b/.test(text) ? ["vitest"] : []),
    ...(/\bplaywright\b/.test(text) ? ["@playwright/test"] : []),
  ];
  return [...new Set([...imported, ...runners, "@types/node", "bun-types"])];
}

/** Writes the programs, and the other files that the blocks name, into a folder. */
export async function writePrograms(
  folder: string,
  blocks: readonly Block[],
  programs: readonly Program[],
): Promise<void> {
  const files = [
    ...blocks.filter(({ name }) => name !== undefined && !ofProject.has(name)),
    ...programs,
  ];
  for (const { name, text } of files) {
    const path = join(folder, name!);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Gives programs of Deno the assertions that they import. */
export async function writeDenoConfiguration({ path }: Project): Promise<void> {
  const assertions = { imports: { "@std/assert": `${root}tests/std_assert/mod.ts` } };
  await writeFile(path("deno.json"), JSON.stringify(assertions));
}
