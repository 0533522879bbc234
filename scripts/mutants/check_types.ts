/** Leaves out the mutants that the compiler would notice. */
import { API } from "typescript/unstable/async";
import { compilerOptions } from "../compiler_options.ts";
import { applyMutant, type Mutant } from "./mutant.ts";

const options = {
  ...compilerOptions,
  target: "esnext",
  lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
  module: "preserve",
  noImplicitOverride: true,
  types: ["node"],
};

export interface Compiler extends AsyncDisposable {
  /**
   * Resolves to the mutants that compile. Exports have types of their own, so a mutant is wrong in its own file or not at all.
   * What the file lacks without a mutant, such as the types of Deno, does not count.
   */
  keepCompiling(mutants: readonly Mutant[]): Promise<readonly Mutant[]>;
}

/** Starts the compiler, once for all mutants of the files. */
export async function openCompiler(files: readonly string[]): Promise<Compiler> {
  const root = Deno.cwd();
  const folder = await Deno.makeTempDir();
  const configuration = `${folder}/tsconfig.json`;
  const changed = new Map<string, string>();
  await Deno.writeTextFile(
    configuration,
    JSON.stringify({
      compilerOptions: { ...options, typeRoots: [`${root}/node_modules/@types`] },
      files: files.map((file) => `${root}/${file}`),
    }),
  );
  const api = new API({ cwd: root, fs: { readFile: (path) => changed.get(path) } });
  const countErrors = async (path: string, text: string) => {
    changed.set(path, text);
    const snapshot = await api.updateSnapshot({
      openProjects: [configuration],
      fileChanges: { changed: [path] },
    });
    changed.delete(path);
    const { program } = snapshot.getProjects()[0]!;
    const found = [
      ...await program.getSyntacticDiagnostics(path),
      ...await program.getSemanticDiagnostics(path),
    ];
    await snapshot.dispose();
    return found.length;
  };
  return {
    async keepCompiling(mutants) {
      const kept: Mutant[] = [];
      for (const [file, ofFile] of Map.groupBy(mutants, ({ file }) => file)) {
        const path = `${root}/${file}`;
        const text = await Deno.readTextFile(path);
        const before = await countErrors(path, text);
        for (const mutant of ofFile) {
          if (await countErrors(path, applyMutant(text, mutant)) <= before) kept.push(mutant);
        }
        // other files import this one
        await countErrors(path, text);
      }
      return kept;
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
