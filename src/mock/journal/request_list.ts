/** Lists of recorded requests, for the assertions of a test. */

import type { JournalEntry } from "../../oauth/journal.ts";
import type { EndpointName } from "../endpoints.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { type RecordedRequest, recordRequest } from "./recorded_request.ts";

/** The requests that match all of these members. */
export interface RequestScope {
  readonly client?: string;
  readonly person?: string;
  readonly flow?: string;
}

/**
 * Requests in the order of their answers. The list grows with each request, the arrays that its methods return do
 * not.
 */
export interface RequestList extends Iterable<RecordedRequest> {
  readonly length: number;
  readonly first: RecordedRequest | undefined;
  readonly last: RecordedRequest | undefined;
  /** A negative index counts from the end. */
  at(index: number): RecordedRequest | undefined;
  /** Returns the requests of a client, a person or a flow, as a list that grows, too. */
  of(scope: RequestScope): RequestList;
  filter(keep: (request: RecordedRequest) => boolean): readonly RecordedRequest[];
  map<T>(read: (request: RecordedRequest) => T): readonly T[];
  find(isWanted: (request: RecordedRequest) => boolean): RecordedRequest | undefined;
  some(isSo: (request: RecordedRequest) => boolean): boolean;
  /** Returns true for an empty list, like an array. A test should check the `length` as well. */
  every(isSo: (request: RecordedRequest) => boolean): boolean;
  toArray(): readonly RecordedRequest[];
}

/** An entry in the memory of the recorder. */
export interface KeptEntry {
  readonly entry: JournalEntry;
  readonly endpoint: EndpointName;
  /** Returns the request for a test. The first call creates it. */
  read(): RecordedRequest;
}

export function keepEntry(entry: JournalEntry, endpoint: EndpointName, isLost: boolean): KeptEntry {
  let recorded: RecordedRequest | undefined;
  return { entry, endpoint, read: () => recorded ??= recordRequest(entry, endpoint, isLost) };
}

const scopeTerms = termsOf<RequestScope>({ client: true, person: true, flow: true });

/** Creates a list of the entries that `find` returns at each use. */
export function createRequestList(find: () => readonly KeptEntry[]): RequestList {
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
      return createRequestList(() => find().filter((each) => isInScope(each, scope)));
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

export function isInScope({ entry: { facts } }: KeptEntry, { client, person, flow }: RequestScope): boolean {
  return (client === undefined || facts.clientId === client) &&
    (person === undefined || facts.subject === person) &&
    (flow === undefined || facts.flow === flow);
}
