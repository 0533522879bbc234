/** Nodes whose mistakes no program can show, wherever they stand. The instrumenter would make them. */
import { isNothing, type Node, type Path } from "./more_mutators.ts";

export function isWithoutEffect(path: Path): boolean {
  return isDefaultOfOthers(path) || isLastCatch(path);
}

/** `const [, name] = match ?? [];`: what the instrumenter puts into the list would be the first element, which is not read. */
function isDefaultOfOthers({ node, parent, parentPath }: Path): boolean {
  const declared = parentPath?.parent;
  return node.type === "ArrayExpression" && listOf(node, "elements").length === 0 &&
    parent?.type === "LogicalExpression" && declared?.type === "VariableDeclarator" &&
    isPatternOfOthers(declared["id"] as Node);
}

const isPatternOfOthers = (node: Node) =>
  node.type === "ArrayPattern" && listOf(node, "elements")[0] === null;

/** `catch { return undefined; }` at the end of a function, which returns nothing without it, too. */
function isLastCatch({ node, parent, parentPath }: Path): boolean {
  if (parent?.type !== "CatchClause" || node.type !== "BlockStatement") return false;
  const [only, ...others] = listOf(node, "body");
  const tried = parentPath!.parentPath!;
  return only !== undefined && others.length === 0 && isNothing(only!) &&
    tried.parent?.type === "BlockStatement" &&
    listOf(tried.parent, "body").at(-1) === tried.node &&
    /Function|Method/.test(tried.parentPath!.parent!.type);
}

const listOf = (node: Node, member: string) => node[member] as readonly (Node | null)[];
