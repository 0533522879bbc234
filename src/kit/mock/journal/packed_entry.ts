/** Keeps a journal entry in little memory: as octets, which are decoded at each use. Bodies stay text, the rest is JSON. */

import type { Facts, JournalEntry, Message } from "../../../server/oauth/contracts/journal.ts";
import { present } from "../../../ground/values/present.ts";

export interface EntryPacker {
  /** Returns an entry that decodes its octets at each use. `octets`: how many they are. */
  pack(entry: JournalEntry): { readonly packed: JournalEntry; readonly octets: number };
  /**
   * Says that the journal has removed a packed entry. `mayBeHeld`: a caller may still read it. Octets that no caller can
   * read are written over, because the engine frees unused ones late.
   */
  remove(packed: JournalEntry, mayBeHeld: boolean): void;
}

/** What lists show. */
interface Summary extends Pick<JournalEntry, "trace" | "facts"> {
  readonly request: Pick<JournalEntry["request"], "method" | "path">;
  readonly response: Pick<JournalEntry["response"], "status">;
}

interface Messages {
  readonly request: Message & { readonly query: string };
  readonly response: Message;
}

/** A message whose body stands elsewhere, because JSON would need an escape for each of its quotes. */
interface Head extends Omit<Message, "body"> {
  /** How many characters the body has. */
  readonly body?: number;
}

interface Heads {
  readonly query: string;
  readonly request: Head;
  readonly response: Head;
}

// No JSON text of the heads contains it.
const endOfHeads = "\n";

/** An array that many entries share. */
interface Chunk {
  readonly octets: Uint8Array<ArrayBuffer>;
  /** How many entries of the journal have a place in it. */
  entries: number;
  mayBeHeld: boolean;
}

/** A part of a chunk: the summary, and then the messages. */
interface Place {
  readonly chunk: Chunk;
  readonly start: number;
  readonly split: number;
  readonly end: number;
}

const chunkSize = 65_536;

const writer = new TextEncoder();
const reader = new TextDecoder();

/** Returns `undefined` in a web page. */
export function createEntryPacker(): EntryPacker | undefined {
  let chunk = createChunk(0);
  let used = 0;
  const unused: Chunk[] = [];

  function place(summary: string, messages: string): Place {
    const start = used;
    const split = start + write(summary);
    const end = split + write(messages);
    if (end <= chunk.octets.length) {
      used = end;
      return { chunk, start, split, end };
    }
    used = start;
    const [first, second] = [writer.encode(summary), writer.encode(messages)];
    const size = first.length + second.length;
    const own = size < chunkSize ? unused.pop() ?? createChunk(chunkSize) : createChunk(size);
    own.octets.set(first);
    own.octets.set(second, first.length);
    if (size < chunkSize) [chunk, used] = [own, size];
    return { chunk: own, start: 0, split: first.length, end: size };
  }

  /** Returns `Infinity` if the text does not fit. */
  function write(text: string): number {
    if (text.length > chunk.octets.length - used) return Infinity;
    const { read, written } = writer.encodeInto(text, chunk.octets.subarray(used));
    used += written;
    return read === text.length ? written : Infinity;
  }

  return {
    pack(entry) {
      const { trace, request, response } = entry;
      const { method, path, query } = request;
      const [facts, others] = divideFacts(entry.facts);
      const summary: Summary = {
        ...present({ trace }),
        facts,
        request: { method, path },
        response: { status: response.status },
      };
      const heads: Heads = { query, request: headOf(request), response: headOf(response) };
      const bodies = (request.body ?? "") + (response.body ?? "");
      const found = place(JSON.stringify(summary), JSON.stringify(heads) + endOfHeads + bodies);
      found.chunk.entries++;
      return {
        packed: new PackedEntry(entry, found, others) as JournalEntry,
        octets: found.end - found.start,
      };
    },
    remove(packed, mayBeHeld) {
      const old = (packed as PackedEntry).place.chunk;
      old.entries--;
      old.mayBeHeld ||= mayBeHeld;
      const isUnused = old.entries === 0 && !old.mayBeHeld && old !== chunk &&
        old.octets.length === chunkSize;
      if (isUnused) unused.push(old);
    },
  };
}

function createChunk(size: number): Chunk {
  return { octets: new Uint8Array(size), entries: 0, mayBeHeld: false };
}

function headOf({ headers, body, bodyLength }: Message): Head {
  return { headers, ...present({ body: body?.length, bodyLength }) };
}

/** Divides the facts into those that JSON gives back as they are, and the others. */
function divideFacts(
  facts: Partial<Facts>,
): readonly [data: Partial<Facts>, others: Partial<Facts> | undefined] {
  if (Object.values(facts).every(isData)) return [facts, undefined];
  const [data, others] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(facts).filter(([, value]) => isData(value) === wanted))
  );
  return [data!, others];
}

function isData(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value !== "object") return Number.isFinite(value);
  return Array.isArray(value)
    ? value.every(isData)
    : Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isData);
}

class PackedEntry {
  readonly id: string;
  readonly receivedAt: number;
  readonly duration: number;
  readonly place: Place;
  readonly #others: Partial<Facts> | undefined;

  constructor({ id, receivedAt, duration }: JournalEntry, place: Place, others: Partial<Facts> | undefined) {
    this.id = id;
    this.receivedAt = receivedAt;
    this.duration = duration;
    this.place = place;
    this.#others = others;
  }

  get facts(): JournalEntry["facts"] {
    return { ...this.#readSummary().facts, ...this.#others };
  }

  get trace(): JournalEntry["trace"] {
    return this.#readSummary().trace;
  }

  get request(): JournalEntry["request"] {
    const { method, path } = this.#readSummary().request;
    return new PackedRequest(method, path, () => this.#readMessages().request) as JournalEntry["request"];
  }

  get response(): JournalEntry["response"] {
    const { status } = this.#readSummary().response;
    return new PackedResponse(status, () => this.#readMessages().response) as JournalEntry["response"];
  }

  #readSummary(): Summary {
    const { chunk, start, split } = this.place;
    return JSON.parse(reader.decode(chunk.octets.subarray(start, split)));
  }

  #readMessages(): Messages {
    const { chunk, split, end } = this.place;
    const text = reader.decode(chunk.octets.subarray(split, end));
    const endsAt = text.indexOf(endOfHeads);
    const { query, request, response }: Heads = JSON.parse(text.slice(0, endsAt));
    const bodies = text.slice(endsAt + endOfHeads.length);
    return {
      request: { query, ...addBody(request, bodies) },
      response: addBody(response, bodies.slice(request.body ?? 0)),
    };
  }

  unpack(): JournalEntry {
    const { id, receivedAt, duration } = this;
    const { trace, facts, request, response } = this.#readSummary();
    const messages = this.#readMessages();
    return {
      ...{ id, receivedAt, duration },
      ...present({ trace }),
      request: { ...request, ...messages.request },
      response: { ...response, ...messages.response },
      facts: { ...facts, ...this.#others },
    };
  }
}

/** `bodies` begins with the body of the message, if it has one. */
function addBody({ body, ...head }: Head, bodies: string): Message {
  return { ...head, ...present({ body: body === undefined ? undefined : bodies.slice(0, body) }) };
}

/** Decodes the message when a caller needs more of it than lists show. */
class PackedMessage<T extends Message> {
  readonly #decode: () => T;
  #message: T | undefined;

  constructor(decode: () => T) {
    this.#decode = decode;
  }

  protected read(): T {
    return this.#message ??= this.#decode();
  }

  get headers(): Message["headers"] {
    return this.read().headers;
  }

  get body(): string | undefined {
    return this.read().body;
  }

  get bodyLength(): Message["bodyLength"] {
    return this.read().bodyLength;
  }
}

class PackedRequest extends PackedMessage<Messages["request"]> {
  readonly method: string;
  readonly path: string;

  constructor(method: string, path: string, decode: () => Messages["request"]) {
    super(decode);
    this.method = method;
    this.path = path;
  }

  get query(): string {
    return this.read().query;
  }
}

class PackedResponse extends PackedMessage<Message> {
  readonly status: number;

  constructor(status: number, decode: () => Message) {
    super(decode);
    this.status = status;
  }
}

/** Returns an entry of plain objects, because a test may copy their members. */
export function unpackEntry(entry: JournalEntry): JournalEntry {
  return entry instanceof PackedEntry ? entry.unpack() : entry;
}
