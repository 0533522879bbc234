/** Opens the store that a name chooses: a URL of a database, the file of SQLite, or memory. */

import { memoryStore } from "./memory.ts";
import { postgresStore } from "./postgres.ts";
import { redisStore } from "./redis.ts";
import { sqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** Gets problems that do not keep a store from working. */
type Warn = (problem: string) => void;

interface Engine {
  /** How the help and errors write the name of such a store. */
  readonly form: string;
  readonly pattern: RegExp;
  readonly open: (name: string, warn: Warn) => Promise<Store>;
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
    open: async (name, warn) => await sqliteStore(name.slice("sqlite:".length), { warn }),
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

export const storeForms: string = `${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}`;

export function isStoreName(name: string): boolean {
  return engines.some(({ pattern }) => pattern.test(name));
}

/** Rejects as the function of the store does, and with a `TypeError` for a name of another form. */
export async function openStore(name: string, warn: Warn): Promise<Store> {
  const engine = engines.find(({ pattern }) => pattern.test(name));
  if (engine === undefined) throw new TypeError(`Cannot open the store: its name must be ${storeForms}`);
  return await engine.open(name, warn);
}
