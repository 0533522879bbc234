/** Kinds of mistakes that the instrumenter does not make: it takes them beside its own. */

/** A node of a syntax tree, as Babel has it. */
export interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A node with its parents. */
export interface Path {
  readonly node: Node;
  readonly parent: Node | undefined;
  readonly parentPath: Path | null;
  /** The member of the parent that has the node. */
  readonly listKey?: string;
  findParent(isMeant: (path: Path) => boolean): Path | null;
}

export interface Mutator {
  readonly name: string;
  /** Returns what may stand in place of the node. */
  mutate(path: Path): Iterable<Node>;
}

const nothing: Node = { type: "BlockStatement", body: [], directives: [] };

const awaitLeftOut: Mutator = {
  name: "AwaitLeftOut",
  *mutate(path) {
    if (path.node.type === "AwaitExpression" && !isOnlyReturned(path)) yield path.node["argument"] as Node;
  },
};

/** Outside of `try`, `return await answer` does what `return answer` does, also in its `catch`, and as one of two values. */
function isOnlyReturned(path: Path): boolean {
  if (isOneOfTwo(path)) return isOnlyReturned(path.parentPath!);
  return /^(?:ReturnStatement|ArrowFunctionExpression)$/.test(path.parent!.type) &&
    path.findParent(isTried) === null;
}

/** Whether its parent has its value, or another one: `a ? b : c`, `a && b`. */
function isOneOfTwo({ node, parent }: Path): boolean {
  return parent!.type === "ConditionalExpression" && parent!["test"] !== node ||
    parent!.type === "LogicalExpression" && parent!["right"] === node;
}

function isTried({ node, parent }: Path): boolean {
  return parent?.type === "TryStatement" &&
    (parent["block"] === node || parent["finalizer"] !== null && parent["finalizer"] !== node);
}

/** `check(token);` is gone, and `escape(text)` is `text`. */
const callLeftOut: Mutator = {
  name: "CallLeftOut",
  *mutate({ node }) {
    if (node.type === "ExpressionStatement" && isCall(node["expression"] as Node)) yield nothing;
    if (node.type !== "CallExpression" || (node["callee"] as Node).type !== "Identifier") return;
    const [first, ...others] = node["arguments"] as readonly Node[];
    if (first !== undefined && others.length === 0 && isValue(first)) yield first;
  },
};

function isCall(node: Node): boolean {
  return node.type === "CallExpression" ||
    node.type === "AwaitExpression" && isCall(node["argument"] as Node);
}

const isValue = ({ type }: Node) => ["Identifier", "MemberExpression", "CallExpression"].includes(type);

/** `return`, `throw`, `break` and `continue` at the end of a block that does more. */
const earlyEndLeftOut: Mutator = {
  name: "EarlyEndLeftOut",
  *mutate({ node, parent, listKey }) {
    if (!["ReturnStatement", "ThrowStatement", "BreakStatement", "ContinueStatement"].includes(node.type)) {
      return;
    }
    const around = parent!["body"] as readonly Node[];
    const isIn = listKey === "body" && around.length > 1 && !(around.at(-1) === node && isNothing(node));
    if (isIn || node.type === "ThrowStatement") yield nothing;
  },
};

/** `return;` or `return undefined;` */
export function isNothing({ type, argument }: Node): boolean {
  return type === "ReturnStatement" && (argument === null || (argument as Node)["name"] === "undefined");
}

/** A small number and a status become the next one; a greater number, which limits, its double. */
const constantMoved: Mutator = {
  name: "ConstantMoved",
  *mutate({ node, parent }) {
    if (node.type !== "NumericLiteral" || isKey(node, parent)) return;
    const value = node["value"] as number;
    yield { type: "NumericLiteral", value: value <= 16 || isStatus(value) ? value + 1 : value * 2 };
  },
};

const isStatus = (value: number) => value >= 200 && value < 600;

const isKey = (node: Node, parent: Node | undefined) =>
  parent?.["key"] === node || parent?.type === "TSLiteralType";

const memberLeftOut: Mutator = {
  name: "MemberLeftOut",
  *mutate({ node }) {
    if (node.type !== "ArrayExpression") return;
    const elements = node["elements"] as readonly Node[];
    if (elements.length < 2) return;
    for (const [index, element] of elements.entries()) {
      // A sentence is text for people, which is not mutated.
      if (isSentence(element)) continue;
      yield { type: "ArrayExpression", elements: elements.toSpliced(index, 1) };
    }
  },
};

function isSentence({ type, value, left }: Node): boolean {
  return type === "StringLiteral"
    ? String(value).includes(" ")
    : type === "BinaryExpression" && isSentence(left as Node);
}

export const moreMutators: readonly Mutator[] = [
  awaitLeftOut,
  callLeftOut,
  earlyEndLeftOut,
  constantMoved,
  memberLeftOut,
];
