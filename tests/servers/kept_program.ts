/**
 * A program that a test starts, kills and starts again, for example a database server. A shell keeps it: when the process
 * of the test ends, even by SIGKILL, the standard input of the shell ends, and the shell ends the program and removes its
 * folder.
 */
import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

export interface ProgramOptions {
  readonly command: readonly [path: string, ...parameters: string[]];
  /** The program runs in this folder, which is removed when the program ends. */
  readonly folder: string;
  /** A text that the program prints when it is ready. It must not have characters that grep treats specially. */
  readonly ready: string;
  /** The signal that ends the program quickly and cleanly. */
  readonly endSignal: "QUIT" | "TERM";
  /** The id of the user and of the group that the program runs as. Absent: those of this process. */
  readonly user?: number | undefined;
}

export interface KeptProgram {
  readonly folder: string;
  /** Rejects with the program's output if the program ends before it is ready. */
  start(): Promise<void>;
  /** Ends the program by SIGKILL. */
  kill(): Promise<void>;
  /** Ends the program for good, and removes the folder. */
  end(): Promise<void>;
}

const keeper = `
folder=$1; ready=$2; end=$3; shift 3
cd "$folder" || exit 1
trap : HUP INT TERM
begin() {
  : > output
  "$@" >> output 2>&1 < /dev/null &
  server=$!
  while ! grep -q "$ready" output; do
    kill -0 "$server" 2> /dev/null || { echo failed; return; }
    sleep 0.02
  done
  echo done
}
while read -r order; do
  case $order in
    start) begin "$@" ;;
    kill) kill -KILL "$server"; wait "$server" 2> /dev/null; echo done ;;
  esac
done
if [ -n "$server" ] && kill "-$end" "$server" 2> /dev/null; then
  { sleep 2; kill -KILL "$server"; } > /dev/null 2>&1 &
  wait "$server"
  kill $! 2> /dev/null
fi
cd / && rm -rf "$folder"
`;

/** Prepares the program. It does not keep the process of the test alive. */
export function keepProgram({ command, folder, ready, endSignal, user }: ProgramOptions): KeptProgram {
  const shell = spawn("sh", ["-c", keeper, "sh", folder, ready, endSignal, ...command], {
    stdio: ["pipe", "pipe", "ignore"],
    cwd: "/",
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  const ended = new Promise<void>((resolve) => shell.on("close", () => resolve()));
  // The shell may end first. Then `ask` says so.
  shell.stdin.on("error", () => {});
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout] as readonly { unref?(): void }[]) pipe.unref?.();

  async function ask(order: string): Promise<void> {
    shell.stdin.write(`${order}\n`);
    const { value, done } = await keepAlive(lines.next());
    if (done) throw new Error(`The shell that keeps ${command[0]} has ended`);
    if (value !== "failed") return;
    throw new Error(`${command[0]} does not start: ${await readFile(join(folder, "output"), "utf8")}`);
  }

  return {
    folder,
    start: () => ask("start"),
    kill: () => ask("kill"),
    async end() {
      shell.stdin.end();
      await keepAlive(ended);
      // Another user may empty its folder, but not remove it from the folder above.
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Lets the process live until the promise settles, for example while a module waits for its server. */
export async function keepAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

/** The user "nobody", for programs that refuse to run as root. Absent: this process is another user. */
export const unprivileged: number | undefined = process.getuid?.() === 0 ? 65534 : undefined;
