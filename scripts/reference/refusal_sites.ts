/** Finds every refusal in src/: its reason, and the error, the sentence and the rule that go with it. */
import type { CallExpression, FunctionDeclaration, NewExpression, Node } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { findTexts } from "./expression_texts.ts";
import {
  bind,
  enclosing,
  findCalls,
  gatherMembers,
  type Index,
  indexSources,
  isParameter,
  lookUp,
  type Members,
  type Scope,
  unbound,
} from "./source_index.ts";
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

/** The end of a search: the arguments of `fail` or of a new OAuthError. */
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
