/** Kinds of mistakes of a careless hand: a copy loses a member, what was kept stays, one of many is taken, a name is mistaken. */
import { remember } from "../../src/ground/values/remember.ts";
import type { Mutator, Node, Path } from "./more_mutators.ts";

/** `{ ...all, name }` is `{ ...all }`. The compiler leaves out those whose member must be there. */
const propertyLeftOut: Mutator = {
  name: "PropertyLeftOut",
  *mutate({ node }) {
    if (node.type !== "ObjectExpression") return;
    const properties = listOf(node, "properties");
    if (properties.length < 2) return;
    for (const [index, { key, value }] of properties.entries()) {
      // Text for people is not mutated.
      const name = (key as { readonly name?: string } | undefined)?.name ?? "";
      if (!namesText.test(name) && !isText(value as Node | undefined)) {
        yield { type: "ObjectExpression", properties: properties.toSpliced(index, 1) };
      }
    }
  },
};

/** Members of refusals that are text for people. */
export const namesText: RegExp = /^(?:sentence|expected|change|received|examples?|spec|section)$/;

const isText = (value: Node | undefined) =>
  value?.type === "TemplateLiteral" ||
  value?.type === "StringLiteral" && String(value["value"]).includes(" ");

/** `last = now;` and `delete kept[name];` are gone. */
const changeLeftOut: Mutator = {
  name: "ChangeLeftOut",
  *mutate({ node }) {
    if (node.type !== "ExpressionStatement") return;
    const { type, operator } = node["expression"] as Node;
    if (type === "AssignmentExpression" || type === "UnaryExpression" && operator === "delete") {
      yield { type: "BlockStatement", body: [], directives: [] };
    }
  },
};

/** The rest of a list is left out: `continue` is `break`, and a loop ends with its first turn. */
const loopEnded: Mutator = {
  name: "LoopEnded",
  *mutate({ node }) {
    if (node.type === "ContinueStatement") yield end;
    if (node.type !== "ForOfStatement") return;
    const body = node["body"] as Node;
    const statements = body.type === "BlockStatement" ? listOf(body, "body") : [body];
    yield { ...node, body: { type: "BlockStatement", body: [...statements, end], directives: [] } };
  },
};

const end: Node = { type: "BreakStatement" };

/** `all.filter(isMeant)` has one element at most, and `all.find(isMeant)` is the last instead of the first. */
const otherElements: Mutator = {
  name: "OtherElements",
  *mutate({ node }) {
    const method = methodOf(node);
    if (method === "filter" || method === "flatMap" || method === "map") {
      yield call(node, "slice", [{ type: "NumericLiteral", value: 0 }, { type: "NumericLiteral", value: 1 }]);
    }
    const other = method === undefined ? undefined : others.get(method);
    if (other !== undefined) {
      const { object } = node["callee"] as Node;
      yield call(object as Node, other, listOf(node, "arguments"));
    }
  },
};

const others = new Map([
  ["find", "findLast"],
  ["findLast", "find"],
]);

/** `name.toLowerCase()` is `name`. */
const formLeftOut: Mutator = {
  name: "FormLeftOut",
  *mutate({ node }) {
    const method = methodOf(node) ?? "";
    if (/^(?:toLowerCase|toUpperCase|normalize|toSorted|toReversed)$/.test(method)) {
      yield (node["callee"] as Node)["object"] as Node;
    }
  },
};

/** `sort((one, other) => …)` is `sort((other, one) => …)`. */
const orderTurned: Mutator = {
  name: "OrderTurned",
  *mutate({ node }) {
    const [compare] = /^(?:sort|toSorted)$/.test(methodOf(node) ?? "") ? listOf(node, "arguments") : [];
    if (compare?.type !== "ArrowFunctionExpression" || listOf(compare, "params").length !== 2) return;
    const turned = { ...compare, params: listOf(compare, "params").toReversed() };
    yield { ...node, arguments: [turned] };
  },
};

/** `allow(client, person)` is `allow(person, client)`. */
const argumentsSwapped: Mutator = {
  name: "ArgumentsSwapped",
  *mutate({ node }) {
    if (node.type !== "CallExpression" && node.type !== "NewExpression" || isEitherWay(node)) return;
    const all = listOf(node, "arguments");
    for (const [index, one] of all.slice(0, -1).entries()) {
      const other = all[index + 1]!;
      if (isName(one) && isName(other) && !isSameName(one, other)) {
        yield { ...node, arguments: all.toSpliced(index, 2, other, one) };
      }
    }
  },
};

const isEitherWay = (node: Node) =>
  /^(?:max|min|isSame|isEqual)/.test(methodOf(node) ?? String((node["callee"] as Node)["name"]));

const isName = ({ type }: Node) => type === "Identifier" || type === "MemberExpression";

const isSameName = (one: Node, other: Node) => one.type === "Identifier" && one["name"] === other["name"];

/** `token.issuer` is `token.audience`, which the same function reads, too. */
const otherMember: Mutator = {
  name: "OtherMember",
  *mutate(path) {
    const { node, parent, parentPath } = path;
    const read = readOf(node);
    if (read === undefined || parent?.["callee"] === node || isWritten(node, parent)) return;
    const names = membersOf(parentPath!, read.object);
    const name = names[(names.indexOf(read.name) + 1) % names.length];
    if (name !== undefined && name !== read.name) {
      yield { ...node, property: { type: "Identifier", name } };
    }
  },
};

const isWritten = (node: Node, parent: Node | undefined) =>
  parent?.["left"] === node && parent.type === "AssignmentExpression";

/** The members that a function reads of a variable, in their order. */
function membersOf(path: Path, variable: string): readonly string[] {
  const body = path.findParent(({ node }) => /Function|ObjectMethod|^Program$/.test(node.type))?.node;
  if (body === undefined) return [];
  return [...remember(reads, body, () => listReads(body)).get(variable) ?? []];
}

const reads = new WeakMap<Node, ReadonlyMap<string, ReadonlySet<string>>>();

function listReads(body: Node): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (node: unknown, isCalled: boolean) => {
    if (Array.isArray(node)) node.forEach((each) => visit(each, false));
    if (typeof (node as Node | null)?.type !== "string") return;
    const { object, name } = readOf(node as Node) ?? {};
    if (object !== undefined && !isCalled) {
      remember(found, object, () => new Set<string>()).add(name!);
    }
    for (const [member, value] of Object.entries(node as Node)) {
      if (typeof value === "object") visit(value, member === "callee");
    }
  };
  visit(body, false);
  return found;
}

function readOf({ type, computed, object, property }: Node): { object: string; name: string } | undefined {
  if (type !== "MemberExpression" || computed === true) return undefined;
  const [from, member] = [object as Node, property as Node];
  return from.type === "Identifier" && member.type === "Identifier"
    ? { object: String(from["name"]), name: String(member["name"]) }
    : undefined;
}

/** The name of the method that is called. */
function methodOf({ type, callee }: Node): string | undefined {
  if (type !== "CallExpression" || (callee as Node).type !== "MemberExpression") return undefined;
  const { computed, property } = callee as Node;
  return computed === true ? undefined : (property as { readonly name?: string }).name;
}

const call = (object: Node, name: string, given: readonly Node[]): Node => ({
  type: "CallExpression",
  callee: { type: "MemberExpression", object, property: { type: "Identifier", name }, computed: false },
  arguments: given,
});

const listOf = (node: Node, member: string) => node[member] as readonly Node[];

export const carelessMutators: readonly Mutator[] = [
  propertyLeftOut,
  changeLeftOut,
  loopEnded,
  otherElements,
  formLeftOut,
  orderTurned,
  argumentsSwapped,
  otherMember,
];
