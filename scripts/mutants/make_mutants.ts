/**
 * Makes mutants of source files: one mistake each, all switched by a variable. The instrumenter of Stryker writes the switches,
 * and asks the mutators which mistakes a node can have.
 */
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { relative } from "node:path";
import { includes, type Mutant, type Range, textIn } from "./mutant.ts";
import { moreMutators, type Mutator, type Path } from "./more_mutators.ts";
import { switchFile } from "./switch.ts";

export interface Source {
  readonly file: string;
  readonly text: string;
  /** The places that may have a mutant. Absent: all. */
  readonly places?: readonly Range[];
}

export interface Mutated {
  readonly mutants: readonly Mutant[];
  /** The texts of the files with their switches. */
  readonly files: ReadonlyMap<string, string>;
}

/** Text is for people: a test of each sentence would only repeat it. */
const leftOut = ["StringLiteral"];

const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, isDebugEnabled: () => false };

/** The instrumenter reads its list of mutators for each file, and takes none from outside. */
const { allMutators } = await import(
  new URL("mutators/mutate.js", import.meta.resolve("@stryker-mutator/instrumenter")).href
) as { readonly allMutators: Mutator[] };
allMutators.push(...moreMutators);

export async function makeMutants(sources: readonly Source[]): Promise<Mutated> {
  const functions: Range[][] = [];
  const made = await new Instrumenter(logger as never).instrument(
    sources.map(({ file, text, places }) => ({
      name: file,
      content: text,
      mutate: places?.map(({ start, end }) => ({ start: fromZero(start), end: fromZero(end) })) ?? true,
    })),
    {
      plugins: null,
      ignorers: [visitNodes(functions)],
      excludedMutations: leftOut,
      noHeader: true,
    } as never,
  );
  const indexes = new Map(sources.map(({ file }, index) => [file, index]));
  const mutants = made.mutants.filter(({ status }) => status !== "Ignored").map(
    ({ id, fileName: file, location, mutatorName: kind, replacement }): Mutant => {
      const range = { start: fromOne(location.start), end: fromOne(location.end) };
      const index = indexes.get(file)!;
      const before = textIn(sources[index]!.text, range);
      const runsAtLoad = !functions[index]!.some((each) => includes(each, range));
      return { id, file, kind, ...range, before, after: replacement!, runsAtLoad };
    },
  );
  return {
    mutants,
    files: new Map(made.files.map(({ name, content }) => [name, importSwitch(name) + content])),
  };
}

// the instrumenter counts lines from 0, its parser from 1
const fromZero = ({ line, column }: Range["start"]) => ({ line: line - 1, column });
const fromOne = ({ line, column }: Range["start"]) => ({ line: line + 1, column });

function importSwitch(file: string): string {
  const path = relative(`${file}/..`, switchFile);
  return `import { isOn as stryMutAct_9fa48, reach as stryCov_9fa48 } from "${
    path.startsWith(".") ? path : `./${path}`
  }";\n`;
}

interface VisitedPath extends Path {
  readonly node: Path["node"] & { readonly loc?: Range };
}

/** Sees each node before it is mutated, file after file. Adds a list of function bodies for each file, and leaves out text. */
function visitNodes(functions: Range[][]): { shouldIgnore(path: VisitedPath): string | undefined } {
  return {
    shouldIgnore({ node }) {
      if (node.type === "Program") functions.push([]);
      if (/Function|ObjectMethod|ClassMethod/.test(node.type)) {
        const { loc } = node["body"] as VisitedPath["node"];
        if (loc !== undefined) functions.at(-1)!.push(loc);
      }
      return isForPeople(node) ? "text" : undefined;
    },
  };
}

/** Members of refusals and functions that write text for people. */
function isForPeople({ type, ...node }: VisitedPath["node"]): boolean {
  const nameOf = (member: string) => (node[member] as { readonly name?: string }).name ?? "";
  if (type === "ObjectProperty") return /^(?:sentence|expected|change|received)$/.test(nameOf("key"));
  return type === "CallExpression" && /^describe/.test(nameOf("callee"));
}
