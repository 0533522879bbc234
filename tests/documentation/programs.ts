/** The programs of a page: their files, the runtimes that run them, and the lines that they print. */

import type { Block, Way } from "./blocks.ts";
import { readCommands } from "./console.ts";

/** A file that a page shows, or a program without a name. */
export interface PageFile {
  readonly block: Block;
  readonly name: string;
  readonly text: string;
}

export interface Program extends PageFile {
  /** Empty if only its types are checked. */
  readonly ways: readonly Way[];
  /** True for a program that shows a failure. */
  readonly fails: boolean;
  /** Lines that it prints, in this order. */
  readonly prints: readonly string[];
}

const anywhere: readonly Way[] = ["node", "bun", "deno"];

/** Returns the programs in TypeScript and JavaScript. */
export function readPrograms(blocks: readonly Block[]): readonly Program[] {
  const programs: Program[] = [];
  for (const block of blocks.filter(({ language }) => ["ts", "js", "diff"].includes(language))) {
    if (block.words.includes("by-hand")) continue;
    if (block.language === "diff") {
      const before = programs.findLast(({ block }) => block.language === "ts");
      programs.push(...applyChanges(block, before, programs.length));
      continue;
    }
    const { words, text, place } = block;
    const before = words.includes("continues") ? programs.at(-1) : undefined;
    if (words.includes("continues") && before === undefined) {
      throw new Error(`${place}: there is no program before it to continue`);
    }
    const whole = `${before?.text ?? ""}${text}`;
    programs.push({
      block,
      name: block.name ?? `program_${programs.length + 1}.${block.language}`,
      text: whole,
      ways: chooseWays(block, blocks),
      fails: words.includes("fails"),
      prints: [...whole.matchAll(/\/\/ prints (.*)$/gm)].map(([, line]) => line!),
    });
  }
  return programs;
}

/** Each "+" line replaces the "-" lines of the program, and gives a program whose types are checked. */
function applyChanges(block: Block, before: Program | undefined, count: number): readonly Program[] {
  const lines = (sign: string) =>
    block.text.split("\n").filter((line) => line.startsWith(`${sign} `)).map((line) => line.slice(2));
  const removed = lines("-");
  const kept = before?.text.split("\n") ?? [];
  const at = kept.findIndex((line) => removed.some((each) => line.startsWith(each)));
  if (at < 0) throw new Error(`${block.place}: the "-" line is not in the ts block before it`);
  return lines("+").map((line, index) => ({
    block,
    name: `program_${count + index + 1}.ts`,
    text: kept.with(at, line).join("\n"),
    ways: [],
    fails: false,
    prints: [],
  }));
}

/** A file that another block imports or starts is not run by itself, unless it says how. */
function chooseWays({ words, name }: Block, blocks: readonly Block[]): readonly Way[] {
  if (words.includes("types") || words.includes("page")) return [];
  const ways = words.filter((word): word is Way => word !== "continues" && word !== "fails");
  if (ways.length > 0) return ways;
  return name !== undefined && blocks.some((other) => uses(other, name)) ? [] : anywhere;
}

function uses({ language, text, words }: Block, name: string): boolean {
  if (language === "console") {
    return !words.includes("by-hand") && readCommands(text).some(({ command }) => command.includes(name));
  }
  return new RegExp(`["'\`](?:\\.{1,2}/)[^"'\`]*\\b${name.replaceAll(".", "\\.")}["'\`]`).test(text);
}

/** Returns the lines that a program in Python or Java prints, as its comments say. */
export function readPrints(text: string): readonly string[] {
  return [...text.matchAll(/(?:#|\/\/) prints (.*)$/gm)].map(([, line]) => line!);
}
