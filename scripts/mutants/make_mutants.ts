/**
 * Makes mutants of source files: one mistake each, all switched by a variable. The instrumenter of Stryker writes the switches,
 * and asks the mutators which mistakes a node can have.
 */
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { present } from "../../src/ground/values/present.ts";
import { includes, type Mutant, nameFunction, type Range, textIn } from "./mutant.ts";
import { carelessMutators, namesText } from "./careless_mutators.ts";
import { moreMutators, type Mutator, type Path } from "./more_mutators.ts";
import { importSwitch } from "./switch.ts";
import { isWithoutEffect } from "./without_effect.ts";

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
allMutators.push(...moreMutators, ...carelessMutators);

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
      const { text } = sources[index]!;
      const around = functions[index]!.filter((each) => includes(each, range));
      // an inner function is visited after the one around it
      const body = around.at(-1);
      return {
        id,
        file,
        kind,
        ...range,
        before: textIn(text, range),
        after: replacement!,
        runsAtLoad: around.length === 0,
        ...present({ within: body && nameFunction(file, text, body.start.line) }),
      };
    },
  );
  return {
    mutants,
    files: new Map(made.files.map(({ name, content }) => [name, content + importSwitch(name)])),
  };
}

// the instrumenter counts lines from 0, its parser from 1
const fromZero = ({ line, column }: Range["start"]) => ({ line: line - 1, column });
const fromOne = ({ line, column }: Range["start"]) => ({ line: line + 1, column });

interface VisitedPath extends Path {
  readonly node: Path["node"] & { readonly loc?: Range };
}

/** Sees each node before it is mutated, and leaves out text and what changes nothing. Adds a list of function bodies for each file. */
function visitNodes(functions: Range[][]): { shouldIgnore(path: VisitedPath): string | undefined } {
  return {
    shouldIgnore(path) {
      const { node } = path;
      if (node.type === "Program") functions.push([]);
      if (/Function|ObjectMethod|ClassMethod/.test(node.type)) {
        const { loc } = node["body"] as VisitedPath["node"];
        if (loc !== undefined) functions.at(-1)!.push({ start: loc.start, end: loc.end });
      }
      if (isForPeople(node)) return "text";
      if (isOperand(path)) return "no place";
      return isWithoutEffect(path) ? "no effect" : undefined;
    },
  };
}

/** The instrumenter has no place for a switch in the operand of `++` and of `delete`. */
function isOperand({ node, parent }: VisitedPath): boolean {
  return parent?.["argument"] === node &&
    (parent.type === "UpdateExpression" || parent["operator"] === "delete");
}

/** Members of refusals and functions that write text for people. */
function isForPeople({ type, ...node }: VisitedPath["node"]): boolean {
  const nameOf = (member: string) => (node[member] as { readonly name?: string }).name ?? "";
  if (type === "ObjectProperty") {
    return namesText.test(nameOf("key"));
  }
  return type === "CallExpression" && /^describe/.test(nameOf("callee"));
}
