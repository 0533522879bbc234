/** Leaves journal entries as they are in a web page: the same functions as those of `packed_entry.ts`. */

import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { EntryPacker } from "./packed_entry.ts";

export function createEntryPacker(): EntryPacker | undefined {
  return undefined;
}

export function unpackEntry(entry: JournalEntry): JournalEntry {
  return entry;
}
