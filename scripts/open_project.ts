/** Opens sources in the compiler of TypeScript, which knows their syntax and their types. */
import { API, type Project } from "typescript/unstable/async";

/** What a `tsconfig.json` has. The paths of `files` and `include` are absolute. */
export interface Configuration {
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly files?: readonly string[];
  readonly include?: readonly string[];
}

/** A file with another text than it has. */
export interface Replaced {
  readonly path: string;
  readonly text: string;
}

export interface OpenProject extends AsyncDisposable {
  /** Resolves to what `look` finds in the sources. */
  read<Found>(look: (project: Project) => Promise<Found>, replaced?: Replaced): Promise<Found>;
}

export async function openProject(configuration: Configuration): Promise<OpenProject> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tsconfig.json`;
  await Deno.writeTextFile(path, JSON.stringify(configuration));
  const texts = new Map<string, string>();
  const compiler = new API({ cwd: Deno.cwd(), fs: { readFile: (path) => texts.get(path) } });
  return {
    async read(look, replaced) {
      if (replaced !== undefined) texts.set(replaced.path, replaced.text);
      const changes = replaced === undefined ? {} : { fileChanges: { changed: [replaced.path] } };
      const snapshot = await compiler.updateSnapshot({ openProjects: [path], ...changes });
      texts.clear();
      try {
        return await look(snapshot.getProjects()[0]!);
      } finally {
        await snapshot.dispose();
      }
    },
    async [Symbol.asyncDispose]() {
      await compiler.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
