/** Writes kept.json: the verdicts about the regular expressions of the sources. */
import { readSources } from "../../architecture/sources.ts";
import { judgeExpression, mayRepeat } from "./judge_expression.ts";
import { readExpressions } from "./read_expressions.ts";

const expressions = readExpressions(readSources("src")).flatMap(({ expression }) => expression ?? []);
const judged = [...new Set(expressions)].filter(mayRepeat).sort().flatMap((expression) => {
  const verdict = judgeExpression(expression);
  return typeof verdict === "string" ? [[expression, verdict]] : [];
});
Deno.writeTextFileSync(
  new URL("kept.json", import.meta.url),
  `${JSON.stringify(Object.fromEntries(judged), null, 2)}\n`,
);
