/** Records the requests of a tenant, for the assertions of a test. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import { allowUnhandled } from "../../../server/runtime/real_timer.ts";
import { type EndpointName, listEndpointNames } from "../endpoints.ts";
import { type NextTerms, type Waiter, waitForNext } from "./next_request.ts";
import { createEntryPacker, type EntryPacker } from "./packed_entry.ts";
import type { RecordedRequest } from "./recorded_request.ts";
import { createRequestList, KeptEntry, type RequestList } from "./request_list.ts";

/**
 * The recorded requests. A member with the name of an endpoint holds the requests to this endpoint. The journal keeps at
 * most 10,000 requests, and at most 32 MB.
 */
export interface Requests extends RequestList, Readonly<Record<EndpointName, RequestList>> {
  /** How many old requests were removed, because the journal keeps at most 10,000 requests or 32 MB. */
  readonly dropped: number;
  /**
   * Waits for a request to the endpoint, or to any endpoint, whose response comes after this call. Rejects after the
   * timeout.
   */
  next(endpoint?: EndpointName, terms?: NextTerms): Promise<RecordedRequest>;
  /** Removes all recorded requests. */
  clear(): void;
}

export interface Delivery {
  readonly endpoint: EndpointName;
  readonly isLost: boolean;
}

export interface Recorder {
  /** Records a request, unless it is one of the server's own pages. */
  write(entry: JournalEntry, delivery: Delivery): void;
  readonly requests: Requests;
  /**
   * The recorded requests with their entries, oldest first. The array grows with each request. A caller takes it anew
   * after it has waited, because only the entries that it had then stay readable.
   */
  readonly kept: readonly KeptEntry[];
  /** How many requests were recorded in all, also the removed ones. */
  readonly written: number;
  /** Calls `listener` after each change of the list. Returns a function that ends this. */
  watch(listener: () => void): () => void;
  /** Calls the listeners, because something else has changed that they show. */
  wake(): void;
  clear(): void;
  /** Rejects all waiting calls of `next`. `reason` is a clause for their errors, for example "the mock was reset". */
  endWaiting(reason: string): void;
  /** Rejects all waiting and later calls of `next`. */
  close(reason: string): void;
}

export interface RecorderOptions {
  /** The largest number of entries. Default: 10,000. */
  readonly limit?: number;
  /** How much memory all entries may take, in octets. The latest entry always stays. Default: 32 million. */
  readonly mostOctets?: number;
}

// The latest entries are packed later, because a short test reads only these. This many stay, and up to `packedAtOnce` more.
const mostLoose = 200;
// After a short test they are fewer: the engine takes objects that wait for long for old ones, and frees these late.
const mostLooseLater = 16;
const mostLooseOctets = 1_000_000;
// Many at once, because code that has just run is several times as fast.
const packedAtOnce = 32;

export function createRecorder(
  { limit = 10_000, mostOctets = 32_000_000 }: RecorderOptions = {},
): Recorder {
  const kept: KeptEntry[] = [];
  const waiters = new Set<Waiter>();
  const listeners = new Set<() => void>();
  let packer: EntryPacker | undefined;
  let octets = 0;
  /** The number of latest entries that are not packed, and what they take. */
  let loose = 0;
  let looseOctets = 0;
  let dropped = 0;
  let written = 0;
  /** How many requests were recorded when a caller has last been able to take entries from the list. */
  let shown = 0;
  let closedBecause: string | undefined;

  function write(entry: JournalEntry, { endpoint, isLost }: Delivery): void {
    if (isOwnRequest(entry, endpoint)) return;
    const found = new KeptEntry(entry, endpoint, isLost);
    kept.push(found);
    written++;
    octets += found.octets;
    loose++;
    looseOctets += found.octets;
    const most = written > mostLoose ? mostLooseLater : mostLoose;
    if (loose >= most + packedAtOnce || looseOctets > mostLooseOctets) {
      while (loose > most || looseOctets > mostLooseOctets) packNext();
    }
    while (kept.length > limit || octets > mostOctets && kept.length > 1) {
      const isShown = written - kept.length < shown;
      const old = kept.shift()!;
      old.remove(packer, isShown);
      octets -= old.octets;
      dropped++;
      if (loose <= kept.length) continue;
      loose--;
      looseOctets -= old.octets;
    }
    if (waiters.size > 0) { for (const waiter of [...waiters]) waiter.notify(show().at(-1)!); }
    wake();
  }

  function show(): readonly KeptEntry[] {
    shown = written;
    return kept;
  }

  function packNext(): void {
    const oldest = kept[kept.length - loose]!;
    const before = oldest.octets;
    oldest.pack(packer ??= createEntryPacker());
    loose--;
    looseOctets -= before;
    octets += oldest.octets - before;
  }

  function wake(): void {
    if (listeners.size > 0) { for (const listener of [...listeners]) listener(); }
  }

  function clear(): void {
    kept.length = 0;
    octets = 0;
    loose = 0;
    looseOctets = 0;
    dropped = 0;
    wake();
  }

  function endWaiting(reason: string): void {
    for (const waiter of [...waiters]) waiter.end(reason);
  }

  function createRequests(): Requests {
    const members: Omit<Requests, keyof RequestList> = {
      ...createListPerEndpoint(show),
      get dropped() {
        return dropped;
      },
      next: (endpoint, terms = {}) =>
        allowUnhandled(waitForNext(endpoint, terms, { kept, waiters, closedBecause })),
      clear,
    };
    // Copies the getters and not their values, because the list grows.
    return Object.defineProperties(
      createRequestList(show),
      Object.getOwnPropertyDescriptors(members),
    ) as Requests;
  }

  let requests: Requests | undefined;
  const recorder: Omit<Recorder, "requests" | "kept" | "written"> = {
    write,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wake,
    clear,
    endWaiting,
    close(reason) {
      closedBecause = reason;
      endWaiting(reason);
    },
  };
  return withGetters(recorder, {
    // The lists of all endpoints take 25 KB, and many mocks are never asked for them.
    requests: () => requests ??= createRequests(),
    kept: show,
    written: () => written,
  });
}

/** Whether a browser has only loaded a page of the server or a file of its pages, which says nothing about a client. */
function isOwnRequest({ request, response, facts }: JournalEntry, endpoint: EndpointName): boolean {
  if (request.path === "/favicon.ico") return true;
  // The address of the API is a page, too.
  const isPage = (facts.endpoint ?? endpoint) === "page";
  if (!isPage || request.method !== "GET" && request.method !== "HEAD") return false;
  const { refusal, advice, altered, clientId, flow } = facts;
  return (refusal ?? advice ?? altered ?? clientId ?? flow) === undefined && response.status >= 200;
}

function createListPerEndpoint(
  find: () => readonly KeptEntry[],
): Readonly<Record<EndpointName, RequestList>> {
  const lists = listEndpointNames().map((name) =>
    [name, createRequestList(() => find().filter(({ endpoint }) => endpoint === name))] as const
  );
  return Object.fromEntries(lists) as Record<EndpointName, RequestList>;
}
