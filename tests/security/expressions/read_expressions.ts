/** Reads the regular expressions of sources from their syntax trees. */
import { posix } from "node:path";
import { parseAst } from "rolldown/parseAst";
import type { Source } from "../../architecture/rules.ts";

export interface Expression {
  readonly path: string;
  /** As a literal: `/^a+$/i`. Absent: the program builds it from values that are not constants. */
  readonly expression?: string;
  /** The text of the program. */
  readonly written: string;
}

// deno-lint-ignore no-explicit-any -- The trees have too many kinds of nodes.
type Node = any;

/** The constants of a module, and the names that it imports. */
interface Module {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Node[];
}

/** Returns literals, calls of `RegExp`, texts that methods of strings take as one, and the patterns of schemas. */
export function readExpressions(sources: readonly Source[]): readonly Expression[] {
  const modules = new Map(sources.map((source) => [source.path, parse(source)]));
  return [...modules.values()].flatMap((module) => readModule(module, modules));
}

function parse({ path, text }: Source): Module {
  const { body } = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }, path);
  return { path, text, body };
}

const methods: ReadonlySet<string> = new Set(["match", "matchAll", "search"]);

function readModule(module: Module, modules: ReadonlyMap<string, Module>): readonly Expression[] {
  const { path, text } = module;
  const found: Expression[] = [];
  const add = (node: Node, source: string | undefined, flags: string | undefined = "") => {
    const expression = source === undefined ? {} : { expression: String(new RegExp(source, flags)) };
    found.push({ path, ...expression, written: text.slice(node.start, node.end) });
  };
  const read = (node: Node) => node && readConstant(node, module, modules);
  walk(module.body, (node) => {
    const [first, second] = node.arguments ?? [];
    if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    else if (/^(New|Call)Expression$/.test(node.type) && node.callee.name === "RegExp") {
      add(node, read(first), read(second));
    } else if (node.type === "CallExpression" && methods.has(node.callee.property?.name)) {
      // A regular expression is found where it stands.
      const source = first?.type === "Literal" && !first.regex ? read(first) : undefined;
      if (source !== undefined) add(node, source);
    } else if (node.type === "ObjectExpression") {
      for (const { key, value } of node.properties) {
        const source = key?.name === "pattern" ? read(value) : undefined;
        if (source !== undefined) add(value, source);
      }
    }
  });
  return found;
}

function walk(node: Node, visit: (node: Node) => void): void {
  if (node === null || typeof node !== "object") return;
  if (typeof node.type === "string") visit(node);
  for (const each of Object.values(node)) walk(each, visit);
}

/** Returns the text of a constant, or of a regular expression that `source` reads. */
function readConstant(node: Node, module: Module, modules: ReadonlyMap<string, Module>): string | undefined {
  const read = (each: Node) => readConstant(each, module, modules);
  switch (node.type) {
    case "Literal":
      return node.regex?.pattern ?? (typeof node.value === "string" ? node.value : undefined);
    case "TemplateLiteral":
      return join(node.quasis.map(({ value }: Node) => value.cooked), node.expressions.map(read));
    case "TaggedTemplateExpression": {
      const { quasis, expressions } = node.quasi;
      return join(quasis.map(({ value }: Node) => value.raw), expressions.map(read));
    }
    case "BinaryExpression":
      return join(["", "", ""], [read(node.left), read(node.right)]);
    case "MemberExpression":
      return node.property.name === "source" ? read(node.object) : undefined;
    case "Identifier":
      return readNamed(node.name, module, modules);
  }
  return undefined;
}

function join(texts: readonly string[], parts: readonly (string | undefined)[]): string | undefined {
  if (parts.includes(undefined)) return undefined;
  return texts.map((text, at) => text + (parts[at] ?? "")).join("");
}

function readNamed(name: string, module: Module, modules: ReadonlyMap<string, Module>): string | undefined {
  for (const node of module.body) {
    const { declarations = [] } = node.declaration ?? node;
    const declared = declarations.find(({ id }: Node) => id?.name === name);
    if (declared?.init) return readConstant(declared.init, module, modules);
    const imported = node.type === "ImportDeclaration" &&
      node.specifiers.find(({ local }: Node) => local.name === name)?.imported?.name;
    const from = imported && modules.get(posix.join(posix.dirname(module.path), node.source.value));
    if (from) return readNamed(imported, from, modules);
  }
  return undefined;
}
