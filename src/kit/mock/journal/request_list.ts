/** Lists of recorded requests, for the assertions of a test. */

import type { JournalEntry, Message } from "../../../server/oauth/contracts/journal.ts";
import type { EndpointName } from "../endpoints.ts";
import { usernameIn } from "../terms/username_in.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { describeCall, describeOutcome } from "./describe_request.ts";
import type { EntryPacker } from "./packed_entry.ts";
import {
  type RecordedRequest,
  recordRequest,
  type RequestSummary,
  summariseRequest,
} from "./recorded_request.ts";

/** Selects requests that match all given members. */
export interface RequestScope {
  /** A client id. */
  readonly client?: string;
  /** A username. */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly person?: string;
  /** The id of a flow, as in `RecordedRequest.flow`. */
  readonly flow?: string;
}

/**
 * Requests in the order of their responses. The list grows with each request. The arrays that its methods return do not
 * grow.
 */
export interface RequestList extends Iterable<RecordedRequest> {
  /** How many requests the list has now. */
  readonly length: number;
  /** The oldest request. */
  readonly first: RecordedRequest | undefined;
  /** The latest request. */
  readonly last: RecordedRequest | undefined;
  /** Returns the request at an index. A negative index counts from the end. */
  at(index: number): RecordedRequest | undefined;
  /** Returns the requests of a client, a person or a flow as a list, which also grows with each request. */
  of(scope: RequestScope): RequestList;
  /** Returns the requests that the function accepts. */
  filter(keep: (request: RecordedRequest) => boolean): readonly RecordedRequest[];
  /** Returns a value of each request. */
  map<T>(read: (request: RecordedRequest) => T): readonly T[];
  /** Returns the first request that the function accepts. */
  find(isWanted: (request: RecordedRequest) => boolean): RecordedRequest | undefined;
  /** Returns true if the function accepts a request. */
  some(isSo: (request: RecordedRequest) => boolean): boolean;
  /** Returns true for an empty list, like `every` of an array, so a test should also check the `length`. */
  every(isSo: (request: RecordedRequest) => boolean): boolean;
  /** Returns an array of the current requests. */
  toArray(): readonly RecordedRequest[];
}

export type NameRequest = (kept: Pick<KeptEntry, "entry" | "endpoint">) => string;

/** The texts of a request that a filter searches. Secrets are hidden in them. */
interface SearchedTexts {
  /** What the list shows, in lower case. */
  readonly shown: string;
  readonly path: string;
}

/**
 * Hides the secrets of an entry at the first call that needs it, because that takes time. It is a class because each
 * request makes one.
 */
export class KeptEntry {
  readonly endpoint: EndpointName;
  /** How many seconds the server's clock was ahead of real time when the entry was written. */
  readonly ahead: number;
  /** The flow that began with this request, before the server gave it an id. The index of the journal finds it. */
  begins: string | undefined;
  readonly #isLost: boolean;
  #entry: JournalEntry;
  #octets: number;
  #recorded: RecordedRequest | undefined;
  /** Weakly, because it takes as much memory as a packed entry. A caller that has it gets the same one again. */
  #recordedWeakly: WeakRef<RecordedRequest> | undefined;
  #isPacked = false;
  #texts: SearchedTexts | undefined;
  #name: string | undefined;

  constructor(
    entry: JournalEntry,
    endpoint: EndpointName,
    isLost: boolean,
    realTime: number = Date.now() / 1000,
  ) {
    this.#entry = entry;
    this.endpoint = endpoint;
    this.ahead = entry.receivedAt + entry.duration - realTime;
    this.#octets = usualOctets + countEntry(entry);
    this.#isLost = isLost;
  }

  get entry(): JournalEntry {
    return this.#entry;
  }

  /** How much memory it takes, in octets: the entry, and what the index and the search add for it. */
  get octets(): number {
    return this.#octets;
  }

  /** Says that the journal has removed it. */
  remove(packer: EntryPacker | undefined, mayBeHeld: boolean): void {
    if (this.#isPacked) packer?.remove(this.#entry, mayBeHeld);
  }

  pack(packer: EntryPacker | undefined): void {
    if (packer === undefined) return;
    const { packed, octets } = packer.pack(this.#entry);
    this.#entry = packed;
    this.#octets = packedOctets + octets;
    this.#isPacked = true;
    if (this.#recorded === undefined) return;
    this.#recordedWeakly = new WeakRef(this.#recorded);
    this.#recorded = undefined;
  }

  read(): RecordedRequest {
    const known = this.#recorded ?? this.#recordedWeakly?.deref();
    if (known !== undefined) return known;
    const recorded = recordRequest(this.#entry, this.endpoint, this.#isLost);
    if (this.#isPacked) this.#recordedWeakly = new WeakRef(recorded);
    else this.#recorded = recorded;
    return recorded;
  }

  searched(): SearchedTexts {
    return this.#texts ??= gatherTexts(
      this.#recorded ?? summariseRequest(this.entry, this.endpoint, this.#isLost),
    );
  }

  /** Returns the words with which lists name the request, in lower case. The first call asks `nameOf` for them. */
  named(nameOf: NameRequest): string {
    return this.#name ??= nameOf(this).toLowerCase();
  }
}

// Measured in heap snapshots of Node: the objects, the index of a dashboard and what a search adds.
const usualOctets = 2_350;
const packedOctets = 2_030;

/** Counts a character as an octet. The facts may repeat text that a client sent. */
function countEntry({ request, response, facts }: JournalEntry): number {
  let octets = request.path.length + request.query.length + countMessage(request) + countMessage(response);
  for (const name of Object.keys(facts) as (keyof typeof facts)[]) {
    // A thrown value may have circular references.
    if (name !== "fault") octets += countOctets(facts[name]);
  }
  return octets;
}

function countMessage({ headers, body = "" }: Message): number {
  let octets = body.length;
  for (const [name, value] of headers) octets += name.length + value.length;
  return octets;
}

function countOctets(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let octets = 0;
  for (const member of Object.values(value)) octets += countOctets(member);
  return octets;
}

function gatherTexts(request: RequestSummary): SearchedTexts {
  const { refusal, advice, outcome, clientId = "", flow = "", endpoint, id, path } = request;
  const shown = [endpoint, describeCall(request), outcome, describeOutcome(request), clientId, flow, id];
  return { shown: [...shown, ...Object.values(refusal ?? advice ?? {})].join("\n").toLowerCase(), path };
}

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
      requireTerms("narrow a list of requests", scope, types.RequestScope);
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

export function isInScope(
  { entry: { facts } }: KeptEntry,
  { client, flow, ...named }: RequestScope,
): boolean {
  const username = usernameIn(named);
  return (client === undefined || facts.clientId === client) &&
    (username === undefined || facts.subject === username) &&
    (flow === undefined || facts.flow === flow);
}
