/**
 * Functions that V8 compiles together with their module. What it compiles then, Deno keeps for the next process;
 * what is compiled when it is first called, it compiles in each process again. V8 does not wait with a function
 * in parentheses: so those that a first login calls are put in some, and the others stay as they are.
 */

/** What Deno writes for each module when it is asked for the coverage (V8's `ScriptCoverage`). */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly FunctionCoverage[];
}

export interface FunctionCoverage {
  readonly functionName: string;
  /** The first is the whole function. */
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

/** Turns each called declaration at the top level into `var f = (function f…);`, at the top, where it was hoisted to. */
export function parenthesizeCalled(module: string, functions: readonly FunctionCoverage[]): string {
  const called = functions
    .flatMap(({ functionName, ranges: [whole] }) => whole ? [{ functionName, ...whole }] : [])
    .filter(({ startOffset, endOffset, count }) =>
      count > 0 && (startOffset === 0 || module[startOffset - 1] === "\n") &&
      declaration.test(module.slice(startOffset, endOffset))
    )
    .sort((left, right) => left.startOffset - right.startOffset);
  let variables = "", rest = "", end = 0;
  for (const { functionName, startOffset, endOffset } of called) {
    variables += `var ${functionName} = (${module.slice(startOffset, endOffset)});\n`;
    rest += module.slice(end, startOffset);
    end = endOffset;
  }
  return variables + rest + module.slice(end);
}

const declaration = /^(?:async )?function\*? [\w$]+\(/;
