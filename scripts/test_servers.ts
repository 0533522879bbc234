/** Starts the servers that the chosen tests need, once for all lanes. `tests/servers/` says how. */
import { readLines } from "./run_program.ts";
import { asDeveloper, deno } from "./runtimes.ts";

export interface TestServers {
  /** Environment variables that name the servers. */
  readonly variables: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

const names = ["postgres", "redis"] as const;

/** Starts what the test files import and no environment variable names. Rejects if a server does not start. */
export async function startServers(files: readonly string[]): Promise<TestServers> {
  const needed = await listNeeded(files);
  if (needed.length === 0) return { variables: {}, end: () => Promise.resolve() };
  const child = new Deno.Command(deno.path, {
    args: ["run", "--quiet", ...asDeveloper, "--allow-all", "tests/servers/serve.ts", ...needed],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  // Closing its standard input ends the servers.
  const end = async () => {
    await child.stdin.close();
    await child.status;
  };
  try {
    for await (const line of readLines(child.stdout)) return { variables: JSON.parse(line), end };
    throw new Error("They printed nothing");
  } catch {
    await end();
    throw new Error(`The servers for tests do not start: ${needed.join(", ")}`);
  }
}

async function listNeeded(files: readonly string[]): Promise<readonly string[]> {
  const imported = new Set<string>();
  for (const file of files) await addImports(await Deno.realPath(file), imported);
  return names.filter((name) =>
    [...imported].some((path) => path.endsWith(`/tests/servers/${name}.ts`)) &&
    Deno.env.get(`POSTERN_TEST_${name.toUpperCase()}`) === undefined
  );
}

/** Adds the module and the modules of `tests/` that it imports. */
async function addImports(path: string, found: Set<string>): Promise<void> {
  if (found.has(path)) return;
  found.add(path);
  // Some tests contain text that looks like an import of a file.
  const source = await Deno.readTextFile(path).catch(() => "");
  for (const [, specifier = ""] of source.matchAll(/(?:from|import\()\s*"(\.{1,2}\/[^"]+\.tsx?)"/g)) {
    const { pathname } = new URL(specifier, `file://${path}`);
    if (pathname.includes("/tests/")) await addImports(pathname, found);
  }
}
