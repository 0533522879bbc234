/** Keeps the journal of a tenant for the assertions of a test. */

import type { JournalEntry } from "../../oauth/journal.ts";
import { allowUnhandled } from "../../runtime/waiting.ts";
import { type EndpointName, listEndpointNames } from "../endpoints.ts";
import { type NextTerms, type Waiter, waitForNext } from "./next_request.ts";
import type { RecordedRequest } from "./recorded_request.ts";
import { createRequestList, keepEntry, type KeptEntry, type RequestList } from "./request_list.ts";

/**
 * All requests, and those of each endpoint under its name. The last 10,000 are kept, or fewer if they and their answers
 * have more than 32 million characters.
 */
export interface Requests extends RequestList, Readonly<Record<EndpointName, RequestList>> {
  /** How many requests were dropped to make room for newer ones. */
  readonly dropped: number;
  /**
   * Resolves to the first request to the endpoint, or to any, that is answered after this call. Rejects after the
   * timeout.
   */
  next(endpoint?: EndpointName, terms?: NextTerms): Promise<RecordedRequest>;
  clear(): void;
}

/** Where a request went, and whether its answer arrives. */
export interface Delivery {
  readonly endpoint: EndpointName;
  /** True if a test drops the answer. */
  readonly isLost: boolean;
}

export interface Recorder {
  write(entry: JournalEntry, delivery: Delivery): void;
  readonly requests: Requests;
  /** The journal entries with their secrets. */
  readonly entries: readonly JournalEntry[];
  clear(): void;
  /** Rejects the calls of `next` that wait now. The reason continues a sentence: "the mock was reset". */
  endWaiting(reason: string): void;
  /** Rejects the calls of `next` that wait now, and all later calls. */
  close(reason: string): void;
}

export interface RecorderTerms {
  /** How many entries are kept. Default: 10,000. */
  readonly limit?: number;
  /** How many characters all entries may have together. The latest entry is always kept. Default: 32 million. */
  readonly mostCharacters?: number;
}

export function createRecorder(
  { limit = 10_000, mostCharacters = 32_000_000 }: RecorderTerms = {},
): Recorder {
  const kept: (KeptEntry & { readonly characters: number })[] = [];
  const waiters = new Set<Waiter>();
  let characters = 0;
  let dropped = 0;
  let closedBecause: string | undefined;

  function write(entry: JournalEntry, { endpoint, isLost }: Delivery): void {
    const found = { ...keepEntry(entry, endpoint, isLost), characters: countEntry(entry) };
    kept.push(found);
    characters += found.characters;
    while (kept.length > limit || characters > mostCharacters && kept.length > 1) {
      characters -= kept.shift()!.characters;
      dropped++;
    }
    for (const waiter of [...waiters]) waiter.hear(found);
  }

  function clear(): void {
    kept.length = 0;
    characters = 0;
    dropped = 0;
  }

  function endWaiting(reason: string): void {
    for (const waiter of [...waiters]) waiter.end(reason);
  }

  const members: Omit<Requests, keyof RequestList> = {
    ...createListPerEndpoint(() => kept),
    get dropped() {
      return dropped;
    },
    next: (endpoint, terms = {}) =>
      allowUnhandled(waitForNext(endpoint, terms, { kept, waiters, closedBecause })),
    clear,
  };
  return {
    write,
    // The descriptors are copied and not the values, because getters read the growing list.
    requests: Object.defineProperties(
      createRequestList(() => kept),
      Object.getOwnPropertyDescriptors(members),
    ) as Requests,
    get entries() {
      return kept.map(({ entry }) => entry);
    },
    clear,
    endWaiting,
    close(reason) {
      closedBecause = reason;
      endWaiting(reason);
    },
  };
}

function createListPerEndpoint(
  find: () => readonly KeptEntry[],
): Readonly<Record<EndpointName, RequestList>> {
  const lists = listEndpointNames().map((name) =>
    [name, createRequestList(() => find().filter(({ endpoint }) => endpoint === name))] as const
  );
  return Object.fromEntries(lists) as Record<EndpointName, RequestList>;
}

/** Counts the characters of requests, answers and facts. Facts can repeat text that a client sent. */
function countEntry({ request, response, facts }: JournalEntry): number {
  // A thrown value may refer to anything, even to itself.
  const { fault: _fault, ...noted } = facts;
  return countCharacters([request, response, noted]);
}

function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((count, member) => count + countCharacters(member), 0);
}
