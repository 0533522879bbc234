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

/** Requests in the order of their answers. A list grows with each request; the results of its methods do not. */
export interface RequestList extends Iterable<RecordedRequest> {
  readonly length: number;
  readonly first: RecordedRequest | undefined;
  readonly last: RecordedRequest | undefined;
  /** A negative index counts from the end. */
  at(index: number): RecordedRequest | undefined;
  /** The requests of a client, a person or a flow. This list grows, too. */
  of(scope: RequestScope): RequestList;
  filter(keep: (request: RecordedRequest) => boolean): readonly RecordedRequest[];
  map<T>(read: (request: RecordedRequest) => T): readonly T[];
  /** The first request that `isWanted` accepts. */
  find(isWanted: (request: RecordedRequest) => boolean): RecordedRequest | undefined;
  some(isSo: (request: RecordedRequest) => boolean): boolean;
  /** True for an empty list, as for an array: check the `length` as well. */
  every(isSo: (request: RecordedRequest) => boolean): boolean;
  toArray(): readonly RecordedRequest[];
}

/** An entry in the memory of the recorder. */
export interface KeptEntry {
  readonly entry: JournalEntry;
  readonly endpoint: EndpointName;
  /** Made when a test first looks at the request. */
  read(): RecordedRequest;
}

export function keepEntry(entry: JournalEntry, endpoint: EndpointName, isLost: boolean): KeptEntry {
  let recorded: RecordedRequest | undefined;
  return { entry, endpoint, read: () => recorded ??= recordRequest(entry, endpoint, isLost) };
}

const scopeTerms = termsOf<RequestScope>({ client: true, person: true, flow: true });

/** `find` returns the entries of the list as they are now. */
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
