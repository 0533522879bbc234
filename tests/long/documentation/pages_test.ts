/** The programs, commands and configurations of README.md and docs/ are correct, and run as written. */

import { spawnSync } from "node:child_process";
import { chromiumHindrance } from "../../chromium_path.ts";
import { test } from "../../runner.ts";
import { type Block, findPages, readPage } from "../../documentation/blocks.ts";
import { checkTypes } from "../../documentation/check_types.ts";
import { runPage } from "../../documentation/run_page.ts";

/** Why this machine cannot run a page. */
function findHindrance(blocks: readonly Block[]): string | undefined {
  const needs = (language: string) => blocks.some((block) => block.language === language && !isByHand(block));
  if (needs("python") && !exists("python3")) return "there is no python3";
  if (needs("java") && !exists("java")) return "there is no java";
  return blocks.some(({ words }) => words.includes("playwright")) ? chromiumHindrance : undefined;
}

const isByHand = ({ words }: Block) => words.includes("by-hand");

const exists = (program: string) => spawnSync(program, ["--version"]).status === 0;

test("documentation: the types of all programs are correct", () => checkTypes(findPages()));

for (const page of findPages()) {
  const title = `documentation: what ${page} shows runs as written`;
  let blocks: readonly Block[];
  try {
    blocks = readPage(page);
  } catch (error) {
    test(title, () => Promise.reject(error));
    continue;
  }
  if (blocks.length === 0) continue;
  const hindrance = findHindrance(blocks);
  if (hindrance !== undefined) test.skip(title, hindrance);
  else {
    test(title, async () => {
      const faults = await runPage(blocks);
      if (faults.length > 0) throw new Error(faults.join("\n\n"));
    });
  }
}
