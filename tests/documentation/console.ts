/** Runs the commands of console blocks in one shell, in a project that has this checkout as the installed Postern. */

import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { type Running, signalGroup, start } from "../tools/cli/command.ts";
import { root, runtimes } from "../package/project.ts";
import { hangLimit } from "../runner.ts";

const { bun, currentNode, deno, obtainRuntime } = runtimes;

/** A command of a console block, and the output that the page shows. */
export interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

/** Throws if the block has output before its first command. */
export function readCommands(text: string): readonly ShownCommand[] {
  const commands: { command: string; output: string }[] = [];
  let isOpen = false;
  let heredoc: string | undefined;
  for (const line of text.trimEnd().split("\n")) {
    const last = commands.at(-1);
    if (isOpen && last !== undefined) {
      last.command += `\n${line}`;
      if (line === heredoc) heredoc = undefined;
    } else if (line.startsWith("$ ")) {
      commands.push({ command: line.slice(2), output: "" });
      heredoc = /<<-?\s*['"]?(\w+)/.exec(line)?.[1];
    } else if (last !== undefined) {
      last.output += `${line}\n`;
      continue;
    } else throw new Error(`a console block begins with a command, "$ …", not with: ${line}`);
    isOpen = heredoc !== undefined || line.endsWith("\\");
  }
  return commands;
}

/** Returns whether the command starts a server, which does not end. */
export function startsServer(command: string): boolean {
  return /\b(?:deno task (?:--quiet )?|postern )(?:start|dev)\b/.test(command) &&
    !/--(?:help|version)\b|&\s*$/.test(command);
}

export interface Shell {
  /** Runs a command to its end. */
  run(command: string): Promise<{ readonly code: number; readonly output: string }>;
  /** Starts a server in place of an earlier one. Resolves when it listens or, if it refuses to start, ends. */
  serve(command: string): Promise<Running>;
  close(): Promise<void>;
}

export interface ShellOptions {
  /** A project, with the package. */
  readonly folder: string;
  /** An empty folder for the programs on the PATH. */
  readonly programs: string;
  /** The port of a server whose command names none. */
  readonly port: number;
}

// shorter than the limit of a test, which would leave the shell running
const limitInSeconds = hangLimit / 2;

export async function openShell({ folder, programs, port }: ShellOptions): Promise<Shell> {
  await writePrograms({ folder, programs, port });
  // The authority of `start --tls` is then beside the programs, and not in the folder of the developer.
  const env = { PATH: `${programs}:${process.env["PATH"]}`, XDG_CONFIG_HOME: programs };
  const shell = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env: { ...process.env, ...env, NO_COLOR: "1" },
    stdio: "pipe",
    detached: true,
  });
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  let output = "";
  let look = () => {};
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      look();
    });
  }
  let server: Running | undefined;
  const stopServer = async () => {
    server?.signal("SIGINT");
    await server?.ended;
    server = undefined;
  };

  return {
    async run(command) {
      output = "";
      const done = new Promise<RegExpExecArray>((resolve) => {
        look = () => {
          const match = /\n?<<ended (\d+)>>\n/.exec(output);
          if (match !== null) resolve(match);
        };
      });
      shell.stdin.write(`{ ${command}\n} </dev/null 2>&1\nprintf '\\n<<ended %s>>\\n' $?\n`);
      const [end, code] = await withinLimit(command, Promise.race([done, ended.then(() => undefined)])) ??
        failEarly(command);
      return { code: Number(code), output: output.slice(0, output.indexOf(end)) };
    },
    async serve(command) {
      await stopServer();
      const running = start(["-c", command], { command: ["bash"], cwd: folder, env, asGroup: true });
      server = running;
      const [, chosen = port] = /--port[ =](\d+)/.exec(command) ?? [];
      const listening = running.printed(new RegExp(`:${chosen}\\b`)).catch(() => {});
      await withinLimit(command, listening);
      return running;
    },
    async close() {
      await stopServer();
      // with the programs that it left running
      signalGroup(shell.pid!, "SIGKILL");
      await ended;
    },
  };
}

function failEarly(command: string): never {
  throw new Error(`the shell ended in ${command}`);
}

async function withinLimit<T>(command: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${command} did not end within ${limitInSeconds} s`)),
      limitInSeconds * 1000,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes the programs that commands use, so that they find this checkout, its packages and its runtimes. */
async function writePrograms({ folder, programs: bin, port }: ShellOptions): Promise<void> {
  await mkdir(bin, { recursive: true });
  const node = await obtainRuntime(currentNode);
  // the path of an installed package, so that the output names commands of npx
  const postern = `"${await findPath(node.path)}" "${folder}/node_modules/postern/cli.js"`;
  const programs: Readonly<Record<string, string>> = {
    deno: `if [ "$1" != task ]; then exec "${deno.path}" "$@"; fi
shift
[ "$1" = --quiet ] && shift
name=$1
shift
${addDefaults("$name", port)}
case "$name" in
${await describeTasks()}
  *) echo "$name is not a task of the command line: give this block the word by-hand" >&2; exit 2 ;;
esac`,
    npx: `while [ "$1" = -y ] || [ "$1" = --yes ]; do shift; done
name=$1
shift
case "$name" in
  deno) exec "${bin}/deno" "$@" ;;
  postern) command=$1; shift; set -- "$@"; ${addDefaults("$command", port)}
    exec ${postern} $command "$@" ;;
  vitest) exec node node_modules/vitest/vitest.mjs "$@" ;;
  playwright) exec node node_modules/@playwright/test/cli.js "$@" ;;
  *) echo "npx $name: give this block the word by-hand" >&2; exit 2 ;;
esac`,
    // the report that a terminal shows, and that Node 22 replaces by another one in a pipe
    node: `case "$1" in --test) shift; set -- --test --test-reporter=spec "$@" ;; esac
exec "${await findPath(node.path)}" "$@"`,
    bun: `exec "${await findPath((await obtainRuntime(bun)).path)}" "$@"`,
    // no progress meter, which curl prints when its output is not a terminal; a refusal is an error
    curl: `exec "${await findPath("curl")}" --no-progress-meter --fail-with-body "$@"`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(`${bin}/${name}`, `#!/bin/sh\n${text}\n`);
    await chmod(`${bin}/${name}`, 0o755);
  }
}

/** The port instead of the default port 9000, in a command that names no other. */
function addDefaults(name: string, port: number): string {
  return `case "${name} $*" in
  *--help*|*--version*) ;;
  *--port*|*--issuer*:${port}*) ;;
  start*|dev*) set -- "$@" --port ${port} ;;
  *--issuer*) ;;
  token*) set -- "$@" --issuer http://localhost:${port} ;;
esac`;
}

/** A task runs in the root of the checkout. Here it runs in the folder of the page, so that it finds its files. */
async function describeTasks(): Promise<string> {
  const { tasks } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as {
    readonly tasks: Readonly<Record<string, string | { readonly command: string }>>;
  };
  const entry = "src/tools/cli/main.ts";
  return Object.entries(tasks).flatMap(([name, task]) => {
    const command = typeof task === "string" ? task : task.command;
    if (!command.includes(` ${entry}`)) return [];
    const here = command.replace(/^deno /, `"${deno.path}" `).replace(entry, `"${root}${entry}"`)
      .replace("--lock=", `--lock="${root}"`);
    return [`  ${name}) exec ${here} "$@" ;;`];
  }).join("\n");
}

async function findPath(program: string): Promise<string> {
  if (program.includes("/")) return program;
  const { stdout } = await start(["-c", `command -v ${program}`], { command: ["sh"] }).ended;
  return stdout.trim();
}
