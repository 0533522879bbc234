/** Starts the servers that the chosen tests need, once for all lanes. `tests/servers/` says how. */
import { readLines } from "../run_program.ts";
import { findDependents } from "./changed.ts";
import { asDeveloper, deno } from "../runtimes.ts";

export interface TestServers {
  /** Environment variables that name the servers. */
  readonly variables: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

const names = ["postgres", "redis"] as const;

const fileOf = (name: string) => `tests/servers/${name}.ts`;

/** Whether the test file needs one of the servers. */
export function needsServer(file: string): boolean {
  return findDependents([file], names.map(fileOf)).length > 0;
}

/** Starts what the test files import and no environment variable names. Rejects if a server does not start. */
export async function startServers(files: readonly string[]): Promise<TestServers> {
  const needed = listNeeded(files);
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

/** Returns the servers whose file the test files import. */
function listNeeded(files: readonly string[]): readonly string[] {
  return names.filter((name) =>
    Deno.env.get(`POSTERN_TEST_${name.toUpperCase()}`) === undefined &&
    findDependents(files, [fileOf(name)]).length > 0
  );
}
