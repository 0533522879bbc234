/** Finds the texts that an expression in src/ may have. */
import type { CallExpression, Node } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { bind, type Bound, gatherMembers, type Index, lookUp, resolve, type Scope } from "./source_index.ts";
import { visit } from "./sources.ts";

const mostSteps = 8;

/** Returns the texts that an expression may have. A part that is only known at run time is its name in italics. */
export function findTexts(node: Node, scope: Scope, index: Index, depth = 0): readonly string[] {
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
  if (is.isObjectLiteralExpression(node)) {
    // An error code that a feature adds is an object.
    const errorCode = gatherMembers(node).get("code");
    if (errorCode !== undefined) return inside(errorCode);
  }
  if (is.isIdentifier(node)) {
    const bound = scope.bindings.get(node.text);
    if (bound !== undefined) return inside(bound.node, bound.scope);
    const value = resolve(node, scope, index);
    if (value !== node) return inside(value);
  }
  return [`*${nameValue(node)}*`];
}

/** Returns only the name of a value if there is one: the other texts of the sentence are for a missing value. */
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
