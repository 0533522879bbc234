/** Finds the tables of refusals and advice in src/. A file that refuses has its own. */
import { readdir } from "node:fs/promises";
import type { AdviceRows, RefusalRows } from "../../src/server/oauth/contracts/refusals.ts";

export interface RefusalTable {
  /** The path from src/: `server/features/consent.ts`. */
  readonly file: string;
  readonly refused: RefusalRows;
  readonly advised: AdviceRows;
}

/** Imports the files that export a table, in the order of their paths. */
export async function findTables(): Promise<readonly RefusalTable[]> {
  const root = new URL("../../src/", import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts")).toSorted();
  const tables = files.map(async (file): Promise<readonly RefusalTable[]> => {
    const source = await Deno.readTextFile(new URL(file, root));
    if (!/^export const (?:refused|advised): /m.test(source)) return [];
    const { refused = {}, advised = {} } = await import(new URL(file, root).href);
    return [{ file, refused, advised }];
  });
  return (await Promise.all(tables)).flat();
}
