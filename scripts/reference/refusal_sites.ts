/** Finds every refusal in src/: its reason, and the error, the sentence and the rule that go with it. */
import type {
  ArrowFunction,
  CallExpression,
  FunctionDeclaration,
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
      for (const { text: reason, scope } of findReasons(value, { file, bindings: new Map() }, index)) {
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
  readonly bindings: ReadonlyMap<string, Call>;
}

/** Returns the reasons of a `reason` member. If a parameter is the reason, every call gives one. */
function findReasons(
  node: Node,
  scope: Scope,
  index: Index,
): readonly { readonly text: string; readonly scope: Scope }[] {
  const within = is.isIdentifier(node) ? enclosing(node) : undefined;
  if (within === undefined || !isFunction(within) || !hasParameter(within, node.getText())) {
    return findTexts(node, scope, index).map((text) => ({ text, scope }));
  }
  return findCalls(within, scope.file, index).flatMap((call) => {
    const inside = { file: scope.file, bindings: bind(within, call, index) };
    return findTexts(node, inside, index).map((text) => ({ text, scope: inside }));
  });
}

/** What the code declares and calls, by name. Names of functions are unique enough to follow a value. */
interface Index {
  readonly reasons: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, readonly Site[]>;
  readonly functions: ReadonlyMap<string, readonly Site[]>;
  readonly constants: ReadonlyMap<string, readonly Site[]>;
}

interface Site {
  readonly node: Node;
  readonly file: string;
}

function indexSources(files: ReadonlyMap<string, SourceFile>): Index {
  const reasons = new Set<string>();
  const calls = new Map<string, Site[]>(),
    functions = new Map<string, Site[]>(),
    constants = new Map<string, Site[]>();
  const add = (map: Map<string, Site[]>, name: string, site: Site) =>
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
        const isFunction = is.isArrowFunction(node.initializer);
        add(isFunction ? functions : constants, node.name.text, {
          node: isFunction ? node.initializer : node,
          file,
        });
      }
    });
  }
  return { reasons, calls, functions, constants };
}

/** Prefers what the same file has, because several files may use a name. */
function lookUp(map: ReadonlyMap<string, readonly Site[]>, name: string, file: string): readonly Site[] {
  const all = map.get(name) ?? [];
  const own = all.filter((site) => site.file === file);
  return own.length > 0 ? own : all;
}

type Members = ReadonlyMap<string, Node>;

/** The members of an object literal, by name. */
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
  if (is.isCallExpression(parent) || is.isNewExpression(parent)) return traceArgument(node, parent, tracing);
  if (is.isReturnStatement(parent) || is.isArrowFunction(parent)) return traceReturn(parent, tracing);
  if (is.isVariableDeclaration(parent)) return traceName(parent.name.getText(), enclosing(parent), tracing);
  return passesOn(parent, node) ? trace(parent, tracing) : [];
}

/** Whether an expression has the value of this part of it. */
function passesOn(parent: Node, node: Node): boolean {
  if (is.isConditionalExpression(parent)) return parent.condition !== node;
  return is.isParenthesizedExpression(parent) || is.isAsExpression(parent) ||
    is.isSatisfiesExpression(parent) ||
    is.isAwaitExpression(parent) || is.isBinaryExpression(parent);
}

function traceArgument(node: Node, call: Node, tracing: Tracing): readonly Sink[] {
  if (!is.isCallExpression(call) && !is.isNewExpression(call)) return [];
  const { scope, members, index } = tracing;
  const name = call.expression.getText();
  const [error, sentence] = call.arguments ?? [];
  if (name === "fail" || name === "OAuthError") {
    return error === undefined || sentence === undefined ? [] : [{ error, sentence, members, scope }];
  }
  const at = call.arguments?.findIndex((each) => each === node) ?? -1;
  return lookUp(index.functions, name, scope.file).flatMap(({ node: target, file }) => {
    const parameter = isFunction(target) ? target.parameters[at]?.name : undefined;
    if (parameter === undefined || !is.isIdentifier(parameter)) return [];
    const inside = { file, bindings: bind(target, { node: call, scope }, index) };
    return traceName(parameter.text, target, { ...tracing, scope: inside });
  });
}

/** Follows every use of a name inside a function. */
function traceName(name: string, inside: Node, tracing: Tracing): readonly Sink[] {
  const sinks: Sink[] = [];
  visit(inside, (node) => {
    if (is.isIdentifier(node) && node.text === name && !is.isParameterDeclaration(node.parent)) {
      sinks.push(...trace(node, tracing));
    }
  });
  return sinks;
}

function traceReturn(statement: Node, tracing: Tracing): readonly Sink[] {
  const within = is.isArrowFunction(statement) ? statement : enclosing(statement);
  return findCalls(within, tracing.scope.file, tracing.index).flatMap((call) =>
    trace(call.node, { ...tracing, scope: call.scope })
  );
}

/** A call or an expression, and where its names are read. */
interface Call {
  readonly node: Node;
  readonly scope: Scope;
}

/** Returns the calls of a function that has a name. */
function findCalls(target: Node, file: string, { calls }: Index): readonly Call[] {
  const name = is.isFunctionDeclaration(target)
    ? target.name?.text
    : target.parent !== undefined && is.isVariableDeclaration(target.parent)
    ? target.parent.name.getText()
    : undefined;
  return lookUp(calls, name ?? "", file).map((site) => ({
    node: site.node,
    scope: { file: site.file, bindings: new Map() },
  }));
}

/** What each parameter of a function is in a call. */
function bind(target: Node, { node: call, scope }: Call, index: Index): Scope["bindings"] {
  const bindings = new Map<string, Call>();
  if (!isFunction(target) || (!is.isCallExpression(call) && !is.isNewExpression(call))) return bindings;
  for (const [at, { name, initializer }] of target.parameters.entries()) {
    const node = call.arguments?.[at] ?? initializer;
    if (node === undefined) continue;
    if (is.isIdentifier(name)) bindings.set(name.text, { node, scope });
    else {
      // { reason, description }: Details
      for (const [member, value] of gatherMembers(resolve(node, scope, index))) {
        bindings.set(member, { node: value, scope });
      }
    }
  }
  return bindings;
}

function isFunction(node: Node): node is FunctionDeclaration | ArrowFunction {
  return is.isFunctionDeclaration(node) || is.isArrowFunction(node);
}

function hasParameter(target: Node, name: string): boolean {
  if (!isFunction(target)) return false;
  return target.parameters.some((each) => new RegExp(`\\b${name}\\b`).test(each.name.getText()));
}

/** Returns the value of a constant, or the node itself. */
function resolve(node: Node, scope: Scope, index: Index): Node {
  if (!is.isIdentifier(node) || isParameter(node)) return node;
  const all = index.constants.get(node.text) ?? [];
  const own = all.find((site) => site.file === scope.file && isVisible(site.node, node));
  const [only, ...others] = all;
  const imported = others.length === 0 && only !== undefined && isLiteral(initializerOf(only.node))
    ? only
    : undefined;
  return initializerOf((own ?? imported)?.node) ?? node;
}

function initializerOf(node: Node | undefined): Node | undefined {
  return node !== undefined && is.isVariableDeclaration(node) ? node.initializer : undefined;
}

function isLiteral(node: Node | undefined): boolean {
  return node !== undefined && (is.isStringLiteral(node) || is.isNumericLiteral(node));
}

/** Whether a constant is of the module, or of a function around the node. */
function isVisible(declaration: Node, node: Node): boolean {
  const owner = enclosing(declaration);
  let each = enclosing(node);
  while (each !== owner && each.parent !== undefined) each = enclosing(each.parent);
  return each === owner;
}

function isParameter(node: Node): boolean {
  const within = enclosing(node), name = node.getText();
  return hasParameter(within, name) ||
    within.parent !== undefined && hasParameter(enclosing(within.parent), name);
}

function enclosing(node: Node): Node {
  let each = node;
  while (each.parent !== undefined && !isFunction(each)) each = each.parent;
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

/** Returns the texts that an expression may have. A part that is only known at run time is its name in italics. */
function findTexts(node: Node, scope: Scope, index: Index, depth = 0): readonly string[] {
  const inside = (part: Node, where = scope) => findTexts(part, where, index, depth + 1);
  if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (is.isNumericLiteral(node)) return [Number(node.text).toLocaleString("en")];
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node) || is.isSatisfiesExpression(node)) {
    return inside(node.expression);
  }
  if (is.isConditionalExpression(node)) {
    return [...new Set([...inside(node.whenTrue), ...inside(node.whenFalse)])];
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
    if (values.length > 0) return [...new Set(values.flatMap((each) => inside(each)))];
  }
  if (is.isCallExpression(node) && depth < 8) {
    const texts = findResults(node, scope, index).flatMap((each) => inside(each.node, each.scope));
    if (texts.length > 0 && texts.length <= mostAlternatives) return [...new Set(texts)];
  }
  if (is.isIdentifier(node) && depth < 8) {
    const bound = scope.bindings.get(node.text);
    if (bound !== undefined) {
      const texts = inside(bound.node, bound.scope);
      // the name of the parameter says more than the expression of one caller
      const name = node.text === "value" ? unknown : splitName(node.text);
      return texts.some((text) => !isOnlyName(text)) ? texts : [`*${name}*`];
    }
    const value = resolve(node, scope, index);
    if (value !== node) return inside(value);
  }
  return [`*${nameValue(node)}*`];
}

/** Inside a sentence, a value of the request says more than the word for a missing one. */
function simplify(texts: readonly string[]): readonly string[] {
  const values = texts.filter(isOnlyName);
  return texts.length > 1 && values.length > 0 ? values.slice(0, 1) : texts;
}

/** Whether a text is the name of one value in italics, and nothing else. */
function isOnlyName(text: string): boolean {
  return /^\*[^*]*\*$/.test(text);
}

// more of them say less
const mostAlternatives = 4;

/** Returns what the called function may return. */
function findResults(call: CallExpression, scope: Scope, index: Index): readonly Call[] {
  if (!is.isIdentifier(call.expression)) return [];
  const [target, ...others] = lookUp(index.functions, call.expression.text, scope.file);
  if (target === undefined || others.length > 0 || !isFunction(target.node)) return [];
  const inside = { file: target.file, bindings: bind(target.node, { node: call, scope }, index) };
  const { body } = target.node;
  if (body === undefined) return [];
  if (!is.isBlock(body)) return [{ node: body, scope: inside }];
  const results: Call[] = [];
  visit(body, (node) => {
    if (is.isReturnStatement(node) && node.expression !== undefined && enclosing(node) === target.node) {
      results.push({ node: node.expression, scope: inside });
    }
  });
  return results;
}

function combine(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.flatMap((one) => right.map((other) => one + other));
}

/** Names a value for people: `settings.baseUrl` is "base url". The result of a function has no name. */
function nameValue(node: Node): string {
  if (is.isIdentifier(node)) return splitName(node.text);
  if (is.isPropertyAccessExpression(node)) {
    return /^(?:length|size|id|name)$/.test(node.name.text)
      ? `${nameValue(node.expression)} ${node.name.text}`.trim()
      : splitName(node.name.text);
  }
  if (is.isCallExpression(node)) {
    const { expression } = node;
    return is.isPropertyAccessExpression(expression) && lists.has(expression.name.text)
      ? nameValue(expression.expression)
      : unknown;
  }
  if (is.isArrayLiteralExpression(node)) {
    const part = node.elements.find((each) => is.isSpreadElement(each)) ?? node.elements[0];
    return part === undefined ? unknown : nameValue(part);
  }
  if (is.isNonNullExpression(node) || is.isParenthesizedExpression(node) || is.isSpreadElement(node)) {
    return nameValue(node.expression);
  }
  return is.isBinaryExpression(node) ? nameValue(node.left) : unknown;
}

/** The name of a value whose expression says nothing to a reader. */
export const unknown = "…";

/** Methods that keep the meaning of a value. */
const lists: ReadonlySet<string> = new Set([
  "join",
  "map",
  "filter",
  "find",
  "keys",
  "values",
  "slice",
  "toString",
]);

function splitName(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
