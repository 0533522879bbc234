/** Names people in journal entries by their usernames. */

import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";

/** Replaces the subject in the facts by the username, because developers know people by their usernames. */
export function withUsername(entry: JournalEntry, { settings: { people } }: Services): JournalEntry {
  const { facts, facts: { subject } } = entry;
  const person = subject && people.findBySubject(subject)?.username;
  return person ? { ...entry, facts: { ...facts, subject: person } } : entry;
}
