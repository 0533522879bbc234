/** Opens the store that `--store` names. */

import process from "node:process";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { CommandError } from "./command_error.ts";

export async function openStore(name: string): Promise<Store> {
  if (name === "memory") return memoryStore();
  const { sqliteStore } = await import("../store/sqlite.ts");
  try {
    return await sqliteStore(name.slice("sqlite:".length), {
      warn: (problem) => console.error(`postern: ${problem}`),
    });
  } catch (error) {
    const needsNode = "SQLite needs Node 22.13 or later, Deno, or Bun";
    const message = (error as Error).message;
    throw new CommandError(
      message.includes(needsNode)
        ? `--store ${name}: ${needsNode}; this is Node ${process.versions.node}. --store memory works here`
        : `--store ${name}: ${message}`,
      1,
      { cause: error },
    );
  }
}
