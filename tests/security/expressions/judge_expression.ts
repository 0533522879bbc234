/** Asks recheck whether a regular expression takes more than linear time for some text. */
// @ts-types="recheck"
import recheck from "recheck/lib/browser.js";
import kept from "./kept.json" with { type: "json" };

/** `proven`: by the theory of automata. `tried`: it is beyond that theory, and no text that was tried is slow. */
export type Verdict = "proven" | "tried";

export const keptVerdicts: Readonly<Record<string, string>> = kept;

/** Without a repetition, the steps at each place of a text have a bound, and nothing is left to prove. */
export function mayRepeat(expression: string): boolean {
  return /[*+{]/.test(expression);
}

/** Returns the kept verdict, or that of recheck, or a text for which the expression is slow. */
export function judgeExpression(expression: string): Verdict | { readonly slowFor: string } {
  if (!mayRepeat(expression)) return "proven";
  return keptVerdicts[expression] as Verdict | undefined ?? judgeAnew(expression);
}

// In milliseconds. A proof may take a minute.
const patience = 120_000;

function judgeAnew(expression: string): ReturnType<typeof judgeExpression> {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(expression)!;
  const check = (checker: "automaton" | "fuzz") =>
    recheck.checkSync(source, flags, { checker, timeout: patience });
  const first = check("automaton");
  const last = first.status === "unknown" ? check("fuzz") : first;
  if (last.status === "vulnerable") return { slowFor: last.attack.pattern };
  return first.status === "safe" ? "proven" : "tried";
}
