/** Finds every refusal in src/: its reason, and the error, the sentence and the rule that go with it. */
import type {
  CallExpression,
  FunctionDeclaration,
  NewExpression,
  Node,
  SourceFile,
} from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { readSources, visit } from "./sources.ts";

/** A place in the code that refuses for a reason. */
export interface RefusalSite {
  readonly reason: string;
  readonly file: string;
  /** The error codes, or empty if the code is chosen elsewhere. */
  readonly errors: readonly string[];
  readonly status?: number;
  readonly sentences: readonly string[];
  readonly spec?: string;
  readonly expected?: string;
  readonly hasRemedy: boolean;
  /** True for a note in the journal about a request that the server answers. */
  readonly isAdvice: boolean;
}

export interface FoundRefusals {
  readonly sites: readonly RefusalSite[];
  /** Reasons of a `…Reason` type without a place that refuses for them. */
  readonly unused: readonly string[];
}

export async function findRefusals(): Promise<FoundRefusals> {
  const files = await readSources();
  const index = indexSources(files);
  const sites: RefusalSite[] = [];
  for (const [file, tree] of files) {
    visit(tree, (node) => {
      if (!is.isPropertyAssignment(node) && !is.isShorthandPropertyAssignment(node)) return;
      if (node.name.getText() !== "reason") return;
      const value = is.isPropertyAssignment(node) ? node.initializer : node.name;
      for (const { text: reason, scope } of findReasons(value, unbound(file), index)) {
        if (!index.reasons.has(reason)) continue;
        const members = gatherMembers(node.parent);
        const sinks = trace(node.parent, { scope, index, members, seen: new Set() });
        if (sinks.length === 0) sites.push(describeSite(reason, file, { members, scope }, index));
        for (const sink of sinks) sites.push(describeSite(reason, file, sink, index));
      }
    });
  }
  const used = new Set(sites.map(({ reason }) => reason));
  return { sites, unused: [...index.reasons].filter((reason) => !used.has(reason)).sort() };
}

/** Where a name is read: the file, and what the parameters of the enclosing functions are. */
interface Scope {
  readonly file: string;
  readonly bindings: ReadonlyMap<string, Bound>;
}

function unbound(file: string): Scope {
  return { file, bindings: new Map() };
}

/** An expression, and where its names are read. */
interface Bound {
  readonly node: Node;
  readonly scope: Scope;
}

/** Returns the reasons of a `reason` member. If a parameter is the reason, every call gives one. */
function findReasons(
  node: Node,
  scope: Scope,
  index: Index,
): readonly { readonly text: string; readonly scope: Scope }[] {
  const within = enclosing(node);
  if (within === undefined || !isParameter(node)) {
    return findTexts(node, scope, index).map((text) => ({ text, scope }));
  }
  return findCalls(within, scope.file, index).flatMap((call) => {
    const inside = {
      file: scope.file,
      bindings: bind(within, call.node, unbound(call.file)),
    };
    return findTexts(node, inside, index).map((text) => ({ text, scope: inside }));
  });
}

/** What the code declares and calls, by name. Names of functions are unique enough to follow a value. */
interface Index {
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

function indexSources(files: ReadonlyMap<string, SourceFile>): Index {
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

/** Prefers what the same file has, because several files may use a name. */
function lookUp<Of extends Node>(
  map: ReadonlyMap<string, readonly Site<Of>[]>,
  name: string,
  file: string,
): readonly Site<Of>[] {
  const all = map.get(name) ?? [];
  const own = all.filter((site) => site.file === file);
  return own.length > 0 ? own : all;
}

type Members = ReadonlyMap<string, Node>;

/** Returns the members of an object literal, by name. */
function gatherMembers(object: Node): Members {
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

/** Where a refusal leaves: the call of `fail`, or a new OAuthError. */
interface Sink {
  readonly error?: Node;
  readonly sentence?: Node;
  readonly members: Members;
  readonly scope: Scope;
}

interface Tracing {
  readonly scope: Scope;
  readonly index: Index;
  readonly members: Members;
  readonly seen: Set<Node>;
}

/** Follows a value to the calls that refuse with it. */
function trace(node: Node, tracing: Tracing): readonly Sink[] {
  const { parent } = node;
  if (parent === undefined || tracing.seen.has(node)) return [];
  tracing.seen.add(node);
  if (is.isSpreadAssignment(parent)) {
    const members = new Map([...gatherMembers(parent.parent), ...tracing.members]);
    return trace(parent.parent, { ...tracing, members });
  }
  if (is.isAwaitExpression(parent)) return trace(parent, tracing);
  if (is.isCallExpression(parent) || is.isNewExpression(parent)) return traceArgument(node, parent, tracing);
  const within = enclosing(node);
  if (within === undefined) return [];
  if (is.isReturnStatement(parent)) return traceReturn(within, tracing);
  return is.isVariableDeclaration(parent) ? traceName(parent.name.getText(), within, tracing) : [];
}

function traceArgument(
  node: Node,
  call: CallExpression | NewExpression,
  tracing: Tracing,
): readonly Sink[] {
  const { scope, members, index } = tracing;
  const name = call.expression.getText();
  const [error, sentence] = call.arguments ?? [];
  if (name === "fail" || name === "OAuthError") {
    return error === undefined || sentence === undefined ? [] : [{ error, sentence, members, scope }];
  }
  const at = call.arguments?.findIndex((each) => each === node) ?? -1;
  return lookUp(index.functions, name, scope.file).flatMap(({ node: target, file }) => {
    const parameter = target.parameters[at]?.name;
    if (parameter === undefined || !is.isIdentifier(parameter)) return [];
    const inside = { file, bindings: bind(target, call, scope) };
    return traceName(parameter.text, target, { ...tracing, scope: inside });
  });
}

/** Follows every use of a name inside a function. */
function traceName(name: string, inside: Node, tracing: Tracing): readonly Sink[] {
  const sinks: Sink[] = [];
  visit(inside, (node) => {
    if (is.isIdentifier(node) && node.text === name) sinks.push(...trace(node, tracing));
  });
  return sinks;
}

function traceReturn(within: FunctionDeclaration, tracing: Tracing): readonly Sink[] {
  return findCalls(within, tracing.scope.file, tracing.index).flatMap(({ node, file }) =>
    trace(node, { ...tracing, scope: unbound(file) })
  );
}

function findCalls(
  { name }: FunctionDeclaration,
  file: string,
  { calls }: Index,
): readonly Site<CallExpression>[] {
  return lookUp(calls, name?.text ?? "", file);
}

/** Returns what each parameter of a function is in a call. */
function bind(
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
function resolve(node: Node, { file }: Scope, { constants }: Index): Node {
  if (!is.isIdentifier(node) || isParameter(node)) return node;
  const [found] = lookUp(constants, node.text, file);
  const isKnown = found !== undefined &&
    (found.file === file || is.isStringLiteral(found.node) || is.isNumericLiteral(found.node));
  return isKnown ? found.node : node;
}

function isParameter(node: Node): boolean {
  const within = enclosing(node);
  return within !== undefined && hasParameter(within, node.getText());
}

/** Returns the function declaration around a node. */
function enclosing(node: Node): FunctionDeclaration | undefined {
  let each: Node | undefined = node;
  while (each !== undefined && !is.isFunctionDeclaration(each)) each = each.parent;
  return each;
}

function describeSite(reason: string, file: string, sink: Sink, index: Index): RefusalSite {
  const { error, members, scope } = sink;
  const because = members.get("because");
  const note = error === undefined ? members.get("description") ?? because : undefined;
  const sentence = sink.sentence ?? note;
  const texts = (node: Node | undefined) => node === undefined ? [] : findTexts(node, scope, index);
  const status = members.get("status")?.getText();
  const [spec] = texts(members.get("spec"));
  const expected = texts(members.get("expected")).join(" or ");
  return {
    reason,
    file,
    errors: texts(error),
    sentences: texts(sentence).map((text) =>
      sentence === because ? `The token is inactive, because ${text}` : text
    ),
    ...(status !== undefined && /^\d+$/.test(status) ? { status: Number(status) } : {}),
    ...(spec === undefined ? {} : { spec }),
    ...(expected === "" ? {} : { expected }),
    hasRemedy: members.has("remedy"),
    isAdvice: note !== undefined,
  };
}

const mostSteps = 8;

/** Returns the texts that an expression may have. A part that is only known at run time is its name in italics. */
function findTexts(node: Node, scope: Scope, index: Index, depth = 0): readonly string[] {
  const inside = (part: Node, where = scope) => findTexts(part, where, index, depth + 1);
  // a function may call itself
  if (depth > mostSteps) return [`*${unknown}*`];
  if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (is.isNumericLiteral(node)) return [Number(node.text).toLocaleString("en")];
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node) || is.isSatisfiesExpression(node)) {
    return inside(node.expression);
  }
  if (is.isConditionalExpression(node)) {
    return [...inside(node.whenTrue), ...inside(node.whenFalse)];
  }
  if (is.isTemplateExpression(node)) {
    return node.templateSpans.reduce<readonly string[]>(
      (texts, span) =>
        combine(texts, simplify(inside(span.expression)).map((each) => each + span.literal.text)),
      [node.head.text],
    );
  }
  if (is.isBinaryExpression(node) && node.operatorToken.getText() === "+") {
    return combine(inside(node.left), inside(node.right));
  }
  if (is.isElementAccessExpression(node)) {
    const values = [...gatherMembers(resolve(node.expression, scope, index)).values()];
    if (values.length > 0) return values.flatMap((each) => inside(each));
  }
  if (is.isCallExpression(node)) {
    const texts = findResults(node, scope, index).flatMap((each) => inside(each.node, each.scope));
    if (texts.length > 0) return texts;
  }
  if (is.isIdentifier(node)) {
    const bound = scope.bindings.get(node.text);
    if (bound !== undefined) return inside(bound.node, bound.scope);
    const value = resolve(node, scope, index);
    if (value !== node) return inside(value);
  }
  return [`*${nameValue(node)}*`];
}

/** Inside a sentence, a value of the request says more than the word for a missing one. */
function simplify(texts: readonly string[]): readonly string[] {
  const value = texts.find((text) => /^\*[^*]*\*$/.test(text));
  return value === undefined ? texts : [value];
}

/** Returns what the called function may return. */
function findResults(call: CallExpression, scope: Scope, index: Index): readonly Bound[] {
  const [target] = lookUp(index.functions, call.expression.getText(), scope.file);
  if (target === undefined) return [];
  const inside = { file: target.file, bindings: bind(target.node, call, scope) };
  const results: Bound[] = [];
  visit(target.node, (node) => {
    if (is.isReturnStatement(node) && node.expression !== undefined) {
      results.push({ node: node.expression, scope: inside });
    }
  });
  return results;
}

function combine(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.flatMap((one) => right.map((other) => one + other));
}

/** Names a value for people: `settings.baseUrl` is "base url". The result of most functions has no name. */
function nameValue(node: Node): string {
  if (is.isIdentifier(node)) return splitName(node.text);
  if (is.isPropertyAccessExpression(node)) return splitName(node.name.text);
  if (is.isBinaryExpression(node)) return nameValue(node.left);
  if (!is.isCallExpression(node) || !is.isPropertyAccessExpression(node.expression)) return unknown;
  const { name, expression } = node.expression;
  return ["find", "join", "slice"].includes(name.text) ? nameValue(expression) : unknown;
}

/** The name of a value whose expression says nothing to a reader. */
export const unknown = "…";

function splitName(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
