/** Loads the misbehaviours when a test first uses one. */

export type Entries = typeof import("./entries.ts");

export async function loadEntries(): Promise<Entries> {
  return await import("./entries.ts");
}
