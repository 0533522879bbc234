/** Leaves out the mutants that the compiler would notice. */
import { API, type Diagnostic } from "typescript/unstable/async";
import { applyMutant, type Mutant } from "./mutant.ts";

const compilerOptions = {
  target: "esnext",
  lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
  module: "preserve",
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  jsx: "react-jsx",
  jsxImportSource: "preact",
  types: ["node"],
};

/**
 * Resolves to the mutants that compile. Exports have types of their own, so a mutant is wrong in its own file or not at all.
 * What the file lacks without a mutant, such as the types of Deno, does not count.
 */
export async function keepCompiling(mutants: readonly Mutant[]): Promise<readonly Mutant[]> {
  const root = Deno.cwd();
  const folder = await Deno.makeTempDir();
  const configuration = `${folder}/tsconfig.json`;
  const changed = new Map<string, string>();
  await Deno.writeTextFile(
    configuration,
    JSON.stringify({
      compilerOptions: { ...compilerOptions, typeRoots: [`${root}/node_modules/@types`] },
      files: [...new Set(mutants.map(({ file }) => `${root}/${file}`))],
    }),
  );
  const compiler = new API({ cwd: root, fs: { readFile: (path) => changed.get(path) } });
  const describeErrors = async (path: string, text?: string) => {
    if (text !== undefined) changed.set(path, text);
    const snapshot = await compiler.updateSnapshot({
      openProjects: [configuration],
      fileChanges: { changed: [path] },
    });
    changed.delete(path);
    const [project] = snapshot.getProjects();
    const found = [
      ...await project!.program.getSyntacticDiagnostics(path),
      ...await project!.program.getSemanticDiagnostics(path),
    ];
    await snapshot.dispose();
    return found.map(describe);
  };
  try {
    const kept: Mutant[] = [];
    for (const [file, ofFile] of Map.groupBy(mutants, ({ file }) => file)) {
      const path = `${root}/${file}`;
      const text = await Deno.readTextFile(path);
      const before = await describeErrors(path);
      for (const mutant of ofFile) {
        const errors = await describeErrors(path, applyMutant(text, mutant));
        if (errors.length <= before.length) kept.push(mutant);
      }
      await describeErrors(path, text);
    }
    return kept;
  } finally {
    await compiler.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const describe = ({ code, text }: Diagnostic) => `${code} ${text}`;
