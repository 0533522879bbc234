/** Entries of a journal without a server, and a recorder with its index. */

import { createJournalIndex, type JournalIndex } from "../../../../src/kit/mock/journal/journal_index.ts";
import { createRecorder, type Recorder } from "../../../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../../../src/server/oauth/contracts/journal.ts";

/** A successful token request, with some members changed. */
export function entryOf(changed: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id: "id",
    receivedAt: 1_800_000_000,
    duration: 0,
    request: { method: "POST", path: "/oauth2/token", query: "", headers: [] },
    response: { status: 200, headers: [] },
    facts: {},
    ...changed,
  };
}

/** The entry with this number, which is also the second of its arrival. */
export function numberedEntry(number: number, changed: Partial<JournalEntry> = {}): JournalEntry {
  return entryOf({ id: `entry-${number}`, receivedAt: 1_800_000_000 + number, ...changed });
}

export interface OpenJournal {
  readonly recorder: Recorder;
  readonly index: JournalIndex;
  /** Writes the next numbered entry. */
  write(changed: Partial<JournalEntry>): void;
}

export function openJournal(limit = 10_000): OpenJournal {
  const recorder = createRecorder({ limit });
  return {
    recorder,
    index: createJournalIndex(() => [recorder]),
    write: (changed) =>
      recorder.write(numberedEntry(recorder.written, changed), { endpoint: "token", isLost: false }),
  };
}

/** The id of a flow, as long as a real one. */
export function flowNamed(number: number): string {
  return `flow-${String(number).padStart(17, "0")}`;
}
