/** Reads the fenced blocks of the documentation, and checks the words after the language of each block. */

import { existsSync, readdirSync, readFileSync } from "node:fs";

const ways = ["node", "bun", "deno", "node:test", "bun:test", "deno:test", "vitest", "playwright"] as const;

/** A way to run a program in TypeScript or JavaScript. */
export type Way = typeof ways[number];

export interface Block {
  /** The page and the line, for messages. */
  readonly place: string;
  readonly language: string;
  /** The name of the file that has this text. */
  readonly name?: string;
  readonly words: readonly string[];
  readonly text: string;
}

/**
 * `page`: a web page runs it, and here only its types are checked. `fails`: the test fails, as the text says. `continues`:
 * the program before it is a part of it.
 */
const others = ["fails", "continues", "by-hand"];

/** The words that may follow the name of the file, for each language. */
const languages: Readonly<Record<string, readonly string[]>> = {
  ...{ ts: [...ways, "types", "page", ...others], js: [...ways, ...others], jsx: ["by-hand"] },
  ...{
    python: ["unittest", "by-hand"],
    java: ["by-hand"],
    go: ["by-hand"],
    console: ["by-hand"],
    text: ["output"],
  },
  ...Object.fromEntries(
    ["json", "jsonc", "yaml", "properties", "toml", "xml", "html", "http", "sh", "diff", "mermaid"]
      .map((language) => [language, ["by-hand"]]),
  ),
  ...Object.fromEntries(
    ["csharp", "dockerfile", "env", "groovy", "kotlin"].map((language) => [language, []]),
  ),
};

/** Languages whose blocks are run, so that each needs a file. */
const named = ["python", "java", "sh"];

/** Returns the pages whose programs are run. */
export function findPages(): readonly string[] {
  const documents = existsSync("docs") ? readdirSync("docs", { recursive: true, encoding: "utf8" }) : [];
  const pages = documents.filter((name) => name.endsWith(".md")).sort();
  return ["README.md", ...pages.map((name) => `docs/${name.replaceAll("\\", "/")}`)];
}

export function readPage(page: string): readonly Block[] {
  return readBlocks(page, readFileSync(page, "utf8"));
}

/** Throws if a block is not closed, or if its language or words are not known. Leaves out the blocks of comments. */
export function readBlocks(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/^<!--[^]*?-->/gm, (comment) => comment.replace(/[^\n]/g, "")).split("\n");
  for (let index = 0; index < lines.length; index++) {
    const [, indent = "", fence, rest = ""] = /^( *)(`{3,}|~{3,})(.*)$/.exec(lines[index]!) ?? [];
    if (fence === undefined) continue;
    const place = `${page}:${index + 1}`;
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end < 0) throw new Error(`${place}: the block is not closed`);
    const inside = lines.slice(index + 1, end).map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line
    );
    blocks.push({ place, ...readWords(place, rest), text: inside.map((line) => `${line}\n`).join("") });
    index = end;
  }
  requireDifferentNames(blocks);
  return blocks;
}

function readWords(place: string, rest: string): Pick<Block, "language" | "name" | "words"> {
  const [language = "", ...more] = rest.trim().split(/\s+/);
  const allowed = languages[language];
  if (allowed === undefined) {
    throw new Error(
      `${place}: "${language}" is not a language of the documentation: use one of ${
        Object.keys(languages).join(", ")
      }`,
    );
  }
  const [first] = more;
  const name = first !== undefined && /[./]/.test(first) ? first : undefined;
  const words = name === undefined ? more : more.slice(1);
  for (const word of words) {
    if (!allowed.includes(word)) {
      throw new Error(
        `${place}: "${word}" is not known after ${language}: use a file name, ${
          allowed.length > 0 ? `then ${allowed.join(", ")}` : "and no other word"
        }`,
      );
    }
  }
  if (name === undefined && named.includes(language) && !words.includes("by-hand")) {
    throw new Error(`${place}: a block in ${language} needs a file name, or the word by-hand`);
  }
  return { language, ...(name === undefined ? {} : { name }), words };
}

function requireDifferentNames(blocks: readonly Block[]): void {
  const places = new Map<string, string>();
  for (const { name, place } of blocks) {
    if (name === undefined) continue;
    const other = places.get(name);
    if (other !== undefined) throw new Error(`${place}: ${name} is also the file of ${other}`);
    places.set(name, place);
  }
}
