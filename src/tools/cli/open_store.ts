/** Opens the store that `--store` or the environment names. */

import process from "node:process";
import { memoryStore } from "../../server/store/memory.ts";
import { postgresStore } from "../../server/store/postgres.ts";
import { redisStore } from "../../server/store/redis.ts";
import { sqliteStore } from "../../server/store/sqlite.ts";
import type { Store } from "../../server/store/store.ts";
import { hidePassword } from "../../server/store/store_url.ts";
import { CommandError } from "./command_error.ts";

interface Engine {
  /** How the help and errors write the name of such a store. */
  readonly form: string;
  readonly pattern: RegExp;
  readonly open: (name: string, warn: (problem: string) => void) => Promise<Store>;
}

const engines: readonly Engine[] = [
  {
    form: "memory",
    pattern: /^memory$/,
    open: () => Promise.resolve(memoryStore()),
  },
  {
    form: "sqlite:FILE",
    pattern: /^sqlite:./,
    open: async (name, warn) =>
      await sqliteStore(name.slice("sqlite:".length), {
        warn,
      }),
  },
  {
    form: "postgres://…",
    pattern: /^postgres(ql)?:\/\/./,
    open: async (name) => await postgresStore(name),
  },
  {
    form: "redis://…",
    pattern: /^(rediss?|redis\+unix):\/\/./,
    open: async (name, warn) => await redisStore(name, { warn }),
  },
];

const forms = engines.map(({ form }) => form);

/** The names of stores, for the help and for errors. */
export const storeForms: string = `${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}`;

export function isStoreName(name: string): boolean {
  return engines.some(({ pattern }) => pattern.test(name));
}

/** `warn` gets problems that do not keep the store from working. */
export async function openStore(name: string, warn: (problem: string) => void): Promise<Store> {
  const engine = engines.find(({ pattern }) => pattern.test(name));
  if (engine === undefined) throw new CommandError(`--store must be ${storeForms}`);
  try {
    return await engine.open(name, warn);
  } catch (error) {
    const needsNode = "SQLite needs Node 22.13 or later, Deno, or Bun";
    const message = (error as Error).message;
    const shown = hidePassword(name);
    throw new CommandError(
      message.includes(needsNode)
        ? `--store ${name}: ${needsNode}; this is Node ${process.versions.node}. --store memory works here`
        : message.includes(shown)
        ? message
        : `--store ${shown}: ${message}`,
      { exitCode: 1, cause: error },
    );
  }
}
