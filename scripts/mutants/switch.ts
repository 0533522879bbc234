/** The module of the switches, which the copy of the checkout gets. Runs in Deno, Node, Bun and pages. */
import { relative } from "node:path";

/** Its path from the root of the copy. It is beside the sources, so that a bundle includes it. */
export const switchFile = "src/mutant_switch.js";

/** Returns the last line of an instrumented file, because the first one may tell where its JSX comes from. */
export function importSwitch(file: string): string {
  const path = relative(`${file}/..`, switchFile);
  // the instrumenter knows the two functions by these names
  return `\nimport { isOn as stryMutAct_9fa48, reach as stryCov_9fa48 } from "${
    path.startsWith(".") ? path : `./${path}`
  }";\n`;
}

/** Programs that a test starts read these variables, because they get no messages. */
export const variables = { mutant: "POSTERN_MUTANT", reach: "POSTERN_MUTANT_REACH" } as const;

/** What the process of the tests changes: the mutant that is on, and what gets the mutants whose code runs. */
export interface SwitchState {
  on: string | undefined;
  record: ((ids: Iterable<string>) => void) | undefined;
}

/** The name of the state in `globalThis`. */
export const stateName = "posternMutants";

/** Returns the text of the module. A page cannot be told which mutant is on, so the module may have one that is. */
export const writeSwitch = (mutant?: string): string => `
const state = globalThis.${stateName} ??= readVariables();${
  mutant === undefined ? "" : `\nstate.on ??= "${mutant}";`
}
export const isOn = (id) => state.on === id;
export function reach() {
  if (state.record !== undefined) state.record(arguments);
}
function readVariables() {
  try {
    const { ${variables.mutant}: on, ${variables.reach}: path } = globalThis.process?.env ?? {};
    return { on, record: path ? recordInto(path) : undefined };
  } catch {
    // Deno may read no variable
    return { on: undefined, record: undefined };
  }
}
function recordInto(path) {
  const known = new Set();
  return (ids) => {
    const found = [...ids].filter((id) => !known.has(id));
    if (found.length === 0) return;
    for (const id of found) known.add(id);
    try {
      globalThis.process.getBuiltinModule("node:fs").appendFileSync(path, found.join("\\n") + "\\n");
    } catch {
      // the program may not write here
    }
  };
}
`;
