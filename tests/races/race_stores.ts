/** The stores of races: each schedule has empty ones. */
import { openStore } from "../../src/server/store/open_store.ts";
import { memoryStore, type Store } from "../../src/mod.ts";
import { partOfStore } from "../../src/server/store/store.ts";
import type { SharedStore } from "../servers/shared_stores.ts";
import { watchStore } from "./watched_store.ts";

/** The records of one schedule, which no other schedule sees. */
export interface RaceStore {
  /** The test has the first handle, and each contestant has another one. Without enough of them, all share the first. */
  readonly handles: readonly [Store, ...Store[]];
  /** Removes the records. */
  end(): Promise<void>;
}

export type OpenRaceStore = () => RaceStore;

export function openMemory(): RaceStore {
  const memory = memoryStore();
  return { handles: [memory], end: () => memory.close() };
}

const mostContestants = 3;

/**
 * Runs a test with an empty store that it discards. Each contestant has a handle with connections of its own. The records
 * of a schedule are a part of the store, and they are deleted one by one, which is faster than another database for each
 * schedule.
 */
export async function withRaceStore(
  store: SharedStore,
  work: (open: OpenRaceStore) => Promise<void>,
): Promise<void> {
  const { url, discard } = await store.open();
  const handles = await Promise.all(
    Array.from({ length: 1 + mostContestants }, () => openStore(withOneConnection(url), () => {})),
  );
  let schedules = 0;
  try {
    await work(() => openPart(handles, `schedule ${++schedules}`));
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
    await discard();
  }
}

function openPart(handles: readonly Store[], name: string): RaceStore {
  const written = new Map<string, { readonly kind: string; readonly id: string }>();
  const [first, ...others] = handles.map((handle) =>
    watchStore(partOfStore(handle, name), ({ verb, kind, id }, perform) => {
      if (verb === "put") written.set(JSON.stringify([kind, id]), { kind, id });
      return perform();
    })
  );
  return {
    handles: [first!, ...others],
    async end() {
      await Promise.all([...written.values()].map(({ kind, id }) => first!.delete({ name: kind }, id)));
    },
  };
}

/** A contestant makes one call at a time. The records of a test need not survive a crash of Postgres. */
function withOneConnection(url: string): string {
  const settings = "pool_size=1&options=-c%20synchronous_commit%3Doff";
  return url.startsWith("postgres") ? `${url}${url.includes("?") ? "&" : "?"}${settings}` : url;
}
