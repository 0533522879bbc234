/** Keeps the results of an examination in a file, so that it can go on after an interrupt. */

import { rm, writeFile } from "node:fs/promises";
import { cardVersion, type KeptRow } from "../../../kit/examine/card/kept_card.ts";
import type { Phase } from "../../../kit/faults/misbehaviour.ts";

/** The file is in the folder in which the command was started. */
export const keptRunsFile = ".postern_examine.json";

/** Writes rows one after the other, because two writes at the same time would mix. */
export function createRunKeeper(
  phases: readonly Phase[],
  first: readonly KeptRow[],
): { add(row: KeptRow): Promise<void>; end(isComplete: boolean): Promise<void> } {
  const rows = [...first];
  let writing = Promise.resolve();
  return {
    add(row) {
      rows.push(row);
      return writing = writing.then(() =>
        writeFile(keptRunsFile, JSON.stringify({ version: cardVersion, phases, rows }))
      );
    },
    async end(isComplete) {
      await writing;
      if (isComplete) await rm(keptRunsFile, { force: true });
    },
  };
}
