/** What src/ declares and calls, by name, and what a name stands for. */
import type {
  CallExpression,
  FunctionDeclaration,
  NewExpression,
  Node,
  SourceFile,
} from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { visit } from "./sources.ts";

/** What the code declares and calls, by name. Names of functions are unique enough to follow a value. */
export interface Index {
  readonly reasons: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, readonly Site<CallExpression>[]>;
  readonly functions: ReadonlyMap<string, readonly Site<FunctionDeclaration>[]>;
  /** The values of constants. */
  readonly constants: ReadonlyMap<string, readonly Site[]>;
}

interface Site<Of extends Node = Node> {
  readonly node: Of;
  readonly file: string;
}

export function indexSources(files: ReadonlyMap<string, SourceFile>): Index {
  const reasons = new Set<string>();
  const calls = new Map<string, Site<CallExpression>[]>();
  const functions = new Map<string, Site<FunctionDeclaration>[]>();
  const constants = new Map<string, Site[]>();
  const add = <T>(map: Map<string, T[]>, name: string, site: T) =>
    map.set(name, [...map.get(name) ?? [], site]);
  for (const [file, tree] of files) {
    visit(tree, (node) => {
      if (is.isTypeAliasDeclaration(node) && /(?:Reason|InactiveCause|HintAdvice)$/.test(node.name.text)) {
        visit(node.type, (part) => void (is.isStringLiteral(part) && reasons.add(part.text)));
      }
      if (is.isCallExpression(node) && is.isIdentifier(node.expression)) {
        add(calls, node.expression.text, { node, file });
      }
      if (is.isFunctionDeclaration(node) && node.name !== undefined) {
        add(functions, node.name.text, { node, file });
      }
      if (is.isVariableDeclaration(node) && is.isIdentifier(node.name) && node.initializer !== undefined) {
        add(constants, node.name.text, { node: node.initializer, file });
      }
    });
  }
  return { reasons, calls, functions, constants };
}

/** Returns what has this name in the file or, if nothing has it there, in all files. */
export function lookUp<Of extends Node>(
  map: ReadonlyMap<string, readonly Site<Of>[]>,
  name: string,
  file: string,
): readonly Site<Of>[] {
  const all = map.get(name) ?? [];
  const own = all.filter((site) => site.file === file);
  return own.length > 0 ? own : all;
}

export type Members = ReadonlyMap<string, Node>;

/** Returns the members of an object literal, by name. */
export function gatherMembers(object: Node): Members {
  const members = new Map<string, Node>();
  if (!is.isObjectLiteralExpression(object)) return members;
  for (const each of object.properties) {
    if (is.isPropertyAssignment(each)) members.set(each.name.getText(), each.initializer);
    if (is.isShorthandPropertyAssignment(each)) members.set(each.name.getText(), each.name);
    // ...(condition ? { expected } : {})
    if (is.isSpreadAssignment(each)) {
      visit(each.expression, (part) => {
        // ...clientRemedy(client), ...(isPossible ? suggestUnknown(client) : {})
        if (is.isCallExpression(part) && /remedy|^suggest/i.test(part.expression.getText())) {
          members.set("remedy", part);
        }
        if (is.isObjectLiteralExpression(part)) {
          for (const [name, node] of gatherMembers(part)) members.set(name, node);
        }
      });
    }
  }
  return members;
}

/** Where a name is read: the file, and the values of the parameters of the functions around it. */
export interface Scope {
  readonly file: string;
  readonly bindings: ReadonlyMap<string, Bound>;
}

/** Returns the scope of a file, where parameters have no known values. */
export function unbound(file: string): Scope {
  return { file, bindings: new Map() };
}

/** An expression, and where its names are read. */
export interface Bound {
  readonly node: Node;
  readonly scope: Scope;
}

export function findCalls(
  { name }: FunctionDeclaration,
  file: string,
  { calls }: Index,
): readonly Site<CallExpression>[] {
  return lookUp(calls, name?.text ?? "", file);
}

/** Returns the arguments of a call by the names of the function's parameters. */
export function bind(
  { parameters }: FunctionDeclaration,
  call: CallExpression | NewExpression,
  scope: Scope,
): Scope["bindings"] {
  const bindings = new Map<string, Bound>();
  for (const [at, { name, initializer }] of parameters.entries()) {
    const node = call.arguments?.[at] ?? initializer;
    if (node !== undefined) bindings.set(name.getText(), { node, scope });
  }
  return bindings;
}

function hasParameter({ parameters }: FunctionDeclaration, name: string): boolean {
  return parameters.some((each) => each.name.getText() === name);
}

/** Returns the value of a constant, or the node itself. Of another file, only texts and numbers are known. */
export function resolve(node: Node, { file }: Scope, { constants }: Index): Node {
  if (!is.isIdentifier(node) || isParameter(node)) return node;
  const [found] = lookUp(constants, node.text, file);
  const isKnown = found !== undefined &&
    (found.file === file || is.isStringLiteral(found.node) || is.isNumericLiteral(found.node));
  return isKnown ? found.node : node;
}

export function isParameter(node: Node): boolean {
  const within = enclosing(node);
  return within !== undefined && hasParameter(within, node.getText());
}

/** Returns the function declaration around a node. */
export function enclosing(node: Node): FunctionDeclaration | undefined {
  let each: Node | undefined = node;
  while (each !== undefined && !is.isFunctionDeclaration(each)) each = each.parent;
  return each;
}
