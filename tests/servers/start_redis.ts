/** Starts Redis servers. They listen on loopback, and want a password. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findFreePort } from "../free_port.ts";
import { keepProgram, type KeptProgram } from "./kept_program.ts";

export interface RedisServer extends KeptProgram {
  /** The URL of its database 0. */
  readonly url: string;
  readonly port: number;
  readonly password: string;
}

/** Why no server can start here. Absent: one can. */
export function findRedisProblem(): string | undefined {
  if (process.platform === "win32") return "the test servers need a POSIX shell";
  return findProgram() === undefined ? "redis-server is not installed" : undefined;
}

/** `settings` are lines of redis.conf beside those of a test, for example `{ appendonly: "yes" }`. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  for (;;) {
    const port = settings["port"] ?? `${await findFreePort()}`;
    // The server talks to others of a cluster on this port. The usual one, 10,000 more than the port, may not exist.
    const clusterPort = settings["cluster-enabled"] === "yes"
      ? { "cluster-port": `${await findFreePort()}` }
      : {};
    try {
      return await startOnPort(Number(port), { ...clusterPort, ...settings });
    } catch (error) {
      // Another program may have taken a free port meanwhile.
      if (settings["port"] !== undefined || !`${error}`.includes("Address already in use")) throw error;
    }
  }
}

async function startOnPort(port: number, settings: Readonly<Record<string, string>>): Promise<RedisServer> {
  const program = findProgram();
  if (program === undefined) throw new Error("redis-server is not installed");
  const folder = await mkdtemp(join(tmpdir(), "postern-redis-"));
  const password = settings["requirepass"] ?? randomBytes(16).toString("hex");
  const all = { ...usualSettings, requirepass: password, ...settings, port: `${port}` };
  const kept = keepProgram({
    command: [program, ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])],
    folder,
    ready: "Ready to accept connections",
    endSignal: "TERM",
  });
  await kept.start().catch(async (error) => {
    await kept.end();
    throw error;
  });
  return { ...kept, port, password, url: `redis://:${password}@127.0.0.1:${port}` };
}

const usualSettings = {
  bind: "127.0.0.1",
  // Each test takes a new database.
  databases: "10000",
  save: "",
  appendonly: "no",
  "maxmemory-policy": "noeviction",
};

function findProgram(): string | undefined {
  return ["redis-server", "valkey-server"].find((name) => spawnSync(name, ["--version"]).status === 0);
}
