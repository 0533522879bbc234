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
    const insertions = listBodies(source).flatMap((body) => {
      const mark = `stryCov_9fa48("${names.length}")`;
      names.push(
        nameFunction(file, text, text.slice(0, withoutBrackets(body).getStart()).split("\n").length),
      );
      return is.isBlock(body)
        ? [{ at: body.getStart() + 1, added: `${mark};` }]
        : [{ at: body.getStart(), added: `(${mark}, ` }, { at: body.getEnd(), added: ")" }];
    });
    if (insertions.length === 0) continue;
    let marked = "";
    let last = 0;
    for (const { at, added } of insertions.sort((one, other) => one.at - other.at)) {
      marked += text.slice(last, at) + added;
      last = at;
    }
    files.set(file, marked + text.slice(last) + importSwitch(file));
  }
  return { names, files };
}

/** Returns the bodies of functions: blocks, and the expressions of arrow functions. */
function listBodies(source: SourceFile): Node[] {
  const found: Node[] = [];
  const visit = (node: Node) => {
    const { body } = node as { readonly body?: Node };
    if (body !== undefined && (is.isBlock(body) || is.isArrowFunction(node))) found.push(body);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** The parser of the instrumenter has no node for brackets. */
function withoutBrackets(node: Node): Node {
  return is.isParenthesizedExpression(node) ? withoutBrackets(node.expression) : node;
}
