/**
 * Finds promises that nothing waits for. A statement must await the promise that it makes, keep it, or handle its failure.
 * A `return` in a `try` or after a `using` must await it. Otherwise the `catch` misses its failure, and what it uses is
 * closed too early.
 */
import type { Expression, Node } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import {
  type Checker,
  isIntersectionType,
  isUnionType,
  type Program,
  SignatureKind,
  type Type,
} from "typescript/unstable/async";

export interface Unawaited {
  readonly line: number;
  readonly text: string;
}

/** Resolves to what a file leaves unawaited. */
export async function findUnawaited(
  { program, checker }: { readonly program: Program; readonly checker: Checker },
  path: string,
): Promise<readonly Unawaited[]> {
  const file = (await program.getSourceFile(path))!;
  const expressions = listEnds(file).flatMap(unkeptIn);
  const types = await checker.getTypeAtLocation(expressions);
  const arePromises = await Promise.all(types.map((type) => isPromise(checker, type)));
  return expressions.filter((_, index) => arePromises[index]).map((each) => ({
    line: file.text.slice(0, each.getStart()).split("\n").length,
    text: each.getText().split("\n")[0]!,
  }));
}

/** Returns where a file has an `await` without which the rule would find its promise. */
export function findAwaits(file: Node): readonly number[] {
  return listEnds(file).filter(is.isAwaitExpression)
    .filter(({ expression }) => unkeptIn(expression).length > 0)
    .map((each) => each.getStart());
}

/** Returns the values of statements and those that are returned early. */
function listEnds(file: Node): readonly Expression[] {
  const found: Expression[] = [];
  const visit = (node: Node) => {
    const isEnd = is.isExpressionStatement(node) || is.isReturnStatement(node) && endsEarly(node);
    if (isEnd && node.expression !== undefined) found.push(...valuesOf(node.expression));
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Returns what an expression makes without keeping it or handling its failure. */
function unkeptIn(expression: Expression): readonly Expression[] {
  return valuesOf(expression).flatMap((each) => {
    // an assignment keeps it
    if (is.isBinaryExpression(each)) return [];
    if (!is.isCallExpression(each) || !is.isPropertyAccessExpression(each.expression)) return [each];
    const { name, expression: before } = each.expression;
    if (name.text === "finally") return unkeptIn(before);
    const isHandled = name.text === "catch" || name.text === "then" && each.arguments.length > 1;
    return isHandled ? [] : [each];
  });
}

/** Returns the expressions of which one is the value. */
function valuesOf(expression: Expression): readonly Expression[] {
  if (is.isParenthesizedExpression(expression)) return valuesOf(expression.expression);
  if (is.isConditionalExpression(expression)) {
    return [...valuesOf(expression.whenTrue), ...valuesOf(expression.whenFalse)];
  }
  if (is.isBinaryExpression(expression) && /^(?:&&|\|\||\?\?)$/.test(expression.operatorToken.getText())) {
    return [...valuesOf(expression.left), ...valuesOf(expression.right)];
  }
  return [expression];
}

/** Tells whether something around the statement waits for the end of what it returns. */
function endsEarly(statement: Node): boolean {
  const { parent } = statement;
  // the body of a function has no statements around it
  if (parent === undefined || isFunction(parent)) return false;
  if (is.isTryStatement(parent)) {
    if (statement === parent.tryBlock) return true;
    if (statement !== parent.finallyBlock && parent.finallyBlock !== undefined) return true;
  }
  if (is.isBlock(parent) && parent.statements.some((each) => each.pos < statement.pos && isUsing(each))) {
    return true;
  }
  return endsEarly(parent);
}

const isFunction = (node: Node) => (node as { readonly parameters?: unknown }).parameters !== undefined;

const isUsing = (statement: Node) =>
  is.isVariableStatement(statement) && /^(?:await )?using /.test(statement.getText());

async function isPromise(checker: Checker, type: Type | undefined): Promise<boolean> {
  if (type === undefined) return false;
  const types = isUnionType(type) ? await type.getTypes() : [type];
  for (const each of types) {
    // no promise is one: the compiler mixes the type of a value with the type that an async function may return
    if (isIntersectionType(each)) continue;
    const then = await checker.getPropertyOfType(each, "then");
    const typeOfThen = then === undefined ? undefined : await checker.getTypeOfSymbol(then);
    if (typeOfThen === undefined) continue;
    if ((await checker.getSignaturesOfType(typeOfThen, SignatureKind.Call)).length > 0) return true;
  }
  return false;
}
