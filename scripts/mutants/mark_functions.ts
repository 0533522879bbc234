/** Marks the functions of all sources, so that a test shows which of them it runs. */
import * as is from "typescript/unstable/ast/is";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { readSources } from "../reference/sources.ts";
import { nameFunction } from "./mutant.ts";
import { importSwitch } from "./switch.ts";

export interface MarkedSources {
  /** The names of the functions. Their places in the list are the marks. */
  readonly names: readonly string[];
  /** The texts of the files with their marks. */
  readonly files: ReadonlyMap<string, string>;
}

export async function markFunctions(): Promise<MarkedSources> {
  const names: string[] = [];
  const files = new Map<string, string>();
  for (const [file, source] of await readSources()) {
    const text = Deno.readTextFileSync(file);
    const begins = listBlocks(source).sort((one, other) => one - other);
    if (begins.length === 0) continue;
    let marked = "";
    let last = 0;
    for (const begin of begins) {
      marked += `${text.slice(last, begin)}stryCov_9fa48("${names.length}");`;
      names.push(nameFunction(file, text, text.slice(0, begin).split("\n").length));
      last = begin;
    }
    files.set(file, marked + text.slice(last) + importSwitch(file));
  }
  return { names, files };
}

/** Returns where the blocks of functions begin, behind their brackets. */
function listBlocks(source: SourceFile): number[] {
  const found: number[] = [];
  const visit = (node: Node) => {
    const { body } = node as { readonly body?: Node };
    if (body !== undefined && is.isBlock(body)) found.push(body.getStart() + 1);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}
