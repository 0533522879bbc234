/** Leaves out the mutants that `deno task ok` would notice without a test. */
import { developerOptions } from "../compiler_options.ts";
import { openProject } from "../open_project.ts";
import { findAwaits } from "../unawaited.ts";
import { applyMutant, type Mutant, offsetOf } from "./mutant.ts";

export interface Compiler extends AsyncDisposable {
  /**
   * Resolves to the mutants that compile and leave no promise alone. Exports have types of their own, so a mutant is wrong in its
   * own file or not at all. What the file lacks without a mutant, such as the types of Deno, does not count.
   */
  keepCompiling(mutants: readonly Mutant[]): Promise<readonly Mutant[]>;
}

/** Starts the compiler, once for all mutants of the files. */
export async function openCompiler(files: readonly string[]): Promise<Compiler> {
  const root = Deno.cwd();
  const project = await openProject({
    compilerOptions: { ...developerOptions(root), noImplicitOverride: true },
    files: files.map((file) => `${root}/${file}`),
  });
  const countErrors = (path: string, text: string) =>
    project.read(async ({ program }) => {
      const found = [
        ...await program.getSyntacticDiagnostics(path),
        ...await program.getSemanticDiagnostics(path),
      ];
      return found.length;
    }, { path, text });
  return {
    async keepCompiling(mutants) {
      const kept: Mutant[] = [];
      for (const [file, ofFile] of Map.groupBy(mutants, ({ file }) => file)) {
        const path = `${root}/${file}`;
        const text = await Deno.readTextFile(path);
        const awaits = await project.read(async ({ program }) =>
          findAwaits((await program.getSourceFile(path))!)
        );
        const before = await countErrors(path, text);
        for (const mutant of ofFile) {
          if (mutant.kind === "AwaitLeftOut" && awaits.includes(offsetOf(text, mutant.start))) continue;
          if (await countErrors(path, applyMutant(text, mutant)) <= before) kept.push(mutant);
        }
        // other files import this one
        await countErrors(path, text);
      }
      return kept;
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}
