/** The journal as assertions: every request under the endpoint it went to, and the one to come. */

import type { JournalEntry } from "../../oauth/journal.ts";
import { redactText } from "../../oauth/redaction.ts";
import { visible } from "../../pages/visible.ts";
import { allowUnhandled, waitFor } from "../../runtime/waiting.ts";
import { describeValue } from "../../schema/received.ts";
import { type EndpointName, listEndpointNames, requireEndpoint } from "../endpoints.ts";
import { type Duration, requireNotNegative } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { type RecordedRequest, recordRequest } from "./recorded_request.ts";

/** Which requests are meant; what is left out does not matter. */
export interface RequestScope {
  readonly client?: string;
  readonly person?: string;
  readonly flow?: string;
}

/** Requests in the order of their answers. A list grows while requests come; what `filter` and `map` give does not. */
export interface RequestList extends Iterable<RecordedRequest> {
  readonly length: number;
  readonly first: RecordedRequest | undefined;
  readonly last: RecordedRequest | undefined;
  /** Negative: counted from the end. */
  at(index: number): RecordedRequest | undefined;
  /** Those of a client, a person or a flow. */
  of(scope: RequestScope): RequestList;
  filter(keep: (request: RecordedRequest) => boolean): readonly RecordedRequest[];
  map<T>(read: (request: RecordedRequest) => T): readonly T[];
  /** The first one that is wanted. */
  find(isWanted: (request: RecordedRequest) => boolean): RecordedRequest | undefined;
  some(isSo: (request: RecordedRequest) => boolean): boolean;
  /** Of an empty list it is true, as for an array: ask for the `length`, too. */
  every(isSo: (request: RecordedRequest) => boolean): boolean;
  toArray(): readonly RecordedRequest[];
}

/** Which request is waited for, and for how long. */
export interface NextTerms {
  readonly client?: string;
  /** Of real time, whatever the clocks of the test say. Default: 5 seconds. */
  readonly timeout?: Duration;
}

/**
 * All requests, and those of each endpoint under its name. The last 10,000 are kept; fewer where they and their answers
 * hold more than 32 million characters together.
 */
export interface Requests extends RequestList, Readonly<Record<EndpointName, RequestList>> {
  /** How many are gone because newer ones needed their place. */
  readonly dropped: number;
  /** The next one that is answered after this call: of this endpoint, or of any. Rejects when none comes in time. */
  next(endpoint?: EndpointName, terms?: NextTerms): Promise<RecordedRequest>;
  clear(): void;
}

/** Where a request went, and whether its answer arrives. */
export interface Delivery {
  readonly endpoint: EndpointName;
  /** A test drops the answer. */
  readonly isLost: boolean;
}

export interface Recorder {
  write(entry: JournalEntry, delivery: Delivery): void;
  readonly requests: Requests;
  /** As they were, with their secrets. */
  readonly entries: readonly JournalEntry[];
  clear(): void;
  /** Rejects whoever waits now. The reason continues a sentence: "the mock was reset". */
  endWaiting(reason: string): void;
  /** The same for whoever waits later, too. */
  close(reason: string): void;
}

export interface RecorderTerms {
  /** How many entries are kept. Default: 10,000. */
  readonly limit?: number;
  /** How many characters they may hold together; the latest entry is kept in any case. Default: 32 million. */
  readonly mostCharacters?: number;
}

interface Kept {
  readonly entry: JournalEntry;
  readonly endpoint: EndpointName;
  readonly characters: number;
  /** Made once, and only for those that somebody looks at. */
  readonly read: () => RecordedRequest;
}

interface Waiter {
  readonly hear: (kept: Kept) => void;
  readonly end: (reason: string) => void;
}

const usualLimit = 10_000;
const usualCharacters = 32_000_000;

export function createRecorder(
  { limit = usualLimit, mostCharacters = usualCharacters }: RecorderTerms = {},
): Recorder {
  const kept: Kept[] = [];
  let characters = 0;
  const waiters = new Set<Waiter>();
  let dropped = 0;
  let closedBecause: string | undefined;

  function write(entry: JournalEntry, delivery: Delivery): void {
    const found = keep(entry, delivery);
    kept.push(found);
    characters += found.characters;
    while (kept.length > limit || characters > mostCharacters && kept.length > 1) {
      characters -= kept.shift()!.characters;
      dropped++;
    }
    for (const waiter of [...waiters]) waiter.hear(found);
  }

  // deno-lint-ignore require-await -- what is wrong with the terms is a rejection too
  async function wait(
    endpoint: EndpointName | undefined,
    terms: NextTerms,
  ): Promise<RecordedRequest> {
    const seconds = requireTerms(endpoint, terms);
    const { client } = terms;
    const wanted = describeWanted(endpoint, client);
    if (closedBecause !== undefined) throw new Error(`Cannot wait for a ${wanted}: ${closedBecause}`);
    const isWanted = (each: Kept) =>
      (endpoint === undefined || each.endpoint === endpoint) &&
      isOf(each, client === undefined ? {} : { client });
    const earlier = kept.filter(isWanted).length;
    const meanwhile: Kept[] = [];
    let passed = 0;
    const createError = (reason: string) => new Error(`No ${wanted} came: ${reason}`);
    return waitFor({
      seconds,
      createLate: () =>
        createError(`${seconds} seconds are over. ${describeMeanwhile(meanwhile, passed, earlier)}`),
    }, ({ resolve, reject }) => {
      const waiter: Waiter = {
        hear(found) {
          if (isWanted(found)) return resolve(found.read());
          passed++;
          meanwhile.push(found);
          if (meanwhile.length > mostNamed) meanwhile.shift();
        },
        end: (reason) => reject(createError(reason)),
      };
      waiters.add(waiter);
      return () => waiters.delete(waiter);
    });
  }

  function endWaiting(reason: string): void {
    for (const waiter of [...waiters]) waiter.end(reason);
  }

  function clear(): void {
    kept.length = 0;
    characters = 0;
    dropped = 0;
  }

  const more = {
    ...createListPerEndpoint(() => kept),
    get dropped() {
      return dropped;
    },
    next: (endpoint?: EndpointName, terms: NextTerms = {}) => allowUnhandled(wait(endpoint, terms)),
    clear,
  };
  // Getters stay getters: the list grows.
  const requests: Requests = Object.defineProperties(createList(() => kept), {
    ...Object.getOwnPropertyDescriptors(more),
  }) as Requests;
  return {
    write,
    requests,
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

function keep(entry: JournalEntry, { endpoint, isLost }: Delivery): Kept {
  let made: RecordedRequest | undefined;
  return {
    entry,
    endpoint,
    characters: countEntry(entry),
    read: () => made ??= recordRequest(entry, endpoint, isLost),
  };
}

/** What a client sends may be noted as a fact, too. */
function countEntry({ request, response, facts }: JournalEntry): number {
  // What was thrown may refer to anything, to itself as well.
  const { fault: _fault, ...noted } = facts;
  return countCharacters([request, response, noted]);
}

function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((count, member) => count + countCharacters(member), 0);
}

function createList(find: () => readonly Kept[]): RequestList {
  const read = () => find().map((each) => each.read());
  return {
    get length() {
      return find().length;
    },
    get first() {
      return find().at(0)?.read();
    },
    get last() {
      return find().at(-1)?.read();
    },
    at: (index) => find().at(index)?.read(),
    of(scope) {
      requireKnownTerms("narrow a list of requests", scope, scopeTerms);
      return createList(() => find().filter((each) => isOf(each, scope)));
    },
    filter: (keep) => read().filter((request) => keep(request)),
    map: (change) => read().map((request) => change(request)),
    find: (isWanted) => find().find((each) => isWanted(each.read()))?.read(),
    some: (isSo) => find().some((each) => isSo(each.read())),
    every: (isSo) => find().every((each) => isSo(each.read())),
    toArray: read,
    [Symbol.iterator]: () => read()[Symbol.iterator](),
  };
}

function createListPerEndpoint(find: () => readonly Kept[]): Readonly<Record<EndpointName, RequestList>> {
  const lists = listEndpointNames().map((name) =>
    [name, createList(() => find().filter(({ endpoint }) => endpoint === name))] as const
  );
  return Object.fromEntries(lists) as Record<EndpointName, RequestList>;
}

function isOf({ entry: { facts } }: Kept, { client, person, flow }: RequestScope): boolean {
  return (client === undefined || facts.clientId === client) &&
    (person === undefined || facts.subject === person) &&
    (flow === undefined || facts.flow === flow);
}

const scopeTerms = termsOf<RequestScope>({ client: true, person: true, flow: true });
const nextTerms = termsOf<NextTerms>({ client: true, timeout: true });

/** How many seconds are waited. */
function requireTerms(endpoint: unknown, terms: NextTerms): number {
  if (endpoint !== undefined) requireEndpoint(endpoint, "wait for a request to");
  requireKnownTerms("wait for a request", terms, nextTerms);
  return requireNotNegative(terms.timeout ?? 5, "wait for a request");
}

function describeWanted(endpoint: EndpointName | undefined, client: string | undefined): string {
  const to = endpoint === undefined ? "" : ` to "${endpoint}"`;
  return `request${to}${client === undefined ? "" : ` of the client ${describeValue(client)}`}`;
}

const mostNamed = 5;

function describeMeanwhile(latest: readonly Kept[], count: number, earlier: number): string {
  const named = latest.map(({ entry: { request, response, facts } }) =>
    visible(`${request.method} ${redactText(request.path).slice(0, 100)} ${response.status}`) +
    (facts.clientId === undefined ? "" : ` (client ${describeValue(facts.clientId)})`)
  );
  const came = count === 0
    ? "Nothing else came either: is the client configured with this issuer?"
    : `Meanwhile came ${count > named.length ? `${count} others, at last ` : ""}${named.join(", ")}.`;
  return earlier === 0 ? came : `${came} Such requests that came before: ${earlier}. ` +
    "next() waits for what comes after it is called; `last` is the latest of those before";
}
