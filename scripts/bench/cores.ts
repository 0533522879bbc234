/** Gives the server one core and the load generator another, so that neither slows the other. */
export interface Cores {
  readonly server: string;
  readonly generator: string;
  readonly all: string;
}

/** Resolves to `undefined` if there is a single core, or no `taskset` (Linux). */
export async function findCores(): Promise<Cores | undefined> {
  try {
    const status = await Deno.readTextFile("/proc/self/status");
    const all = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? "";
    const numbers = all.split(",").flatMap((range) => {
      const [first = NaN, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
    const generator = numbers[0];
    const server = numbers.at(-1);
    if (generator === undefined || server === undefined || generator === server) return undefined;
    await keepSelfOn(all);
    return { server: `${server}`, generator: `${generator}`, all };
  } catch {
    return undefined;
  }
}

/** Does the work with this process on the core of the load generator. */
export async function withGenerator<Result>(
  cores: Cores | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (cores === undefined) return await work();
  await keepSelfOn(cores.generator);
  try {
    return await work();
  } finally {
    await keepSelfOn(cores.all);
  }
}

/** Moves every thread of this process to these cores. */
async function keepSelfOn(cores: string): Promise<void> {
  const { success } = await new Deno.Command("taskset", {
    args: ["--all-tasks", "--cpu-list", "--pid", cores, `${Deno.pid}`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(`taskset cannot keep this process on core ${cores}`);
}

/** Returns the command that runs `command` on these cores. The process id is that of `command`. */
export function onCores(cores: string | undefined, command: readonly string[]): readonly string[] {
  return cores === undefined ? command : ["taskset", "--cpu-list", cores, ...command];
}
