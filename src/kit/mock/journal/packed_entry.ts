/** Keeps a journal entry in little memory: its messages as octets, and its facts without the text that they were cut from. */

import type { JournalEntry, Message } from "../../../server/oauth/contracts/journal.ts";
import { present } from "../../../ground/values/present.ts";

export interface EntryPacker {
  /** Returns an entry that decodes its messages at each use. `extra`: how many octets they have more than characters. */
  pack(entry: JournalEntry): { readonly packed: JournalEntry; readonly extra: number };
}

/** A part of an array that many messages share: the lines of the head, and then the body. */
interface Place {
  readonly chunk: Uint8Array;
  readonly start: number;
  readonly split: number;
  readonly end: number;
}

const chunkSize = 65_536;
const mostCopies = 1_000;
const separator = "\0";

const writer = new TextEncoder();
const reader = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns `undefined` in a web page. */
export function createEntryPacker(): EntryPacker | undefined {
  const copies = new Map<string, string>();
  let chunk: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let used = 0;

  function place(head: string, body: string): Place {
    const start = used;
    const split = start + write(head);
    const end = split + write(body);
    if (end <= chunk.length) {
      used = end;
      return { chunk, start, split, end };
    }
    used = start;
    const [first, second] = [writer.encode(head), writer.encode(body)];
    const size = first.length + second.length;
    const own = new Uint8Array(Math.max(size, chunkSize));
    own.set(first);
    own.set(second, first.length);
    if (size < chunkSize) [chunk, used] = [own, size];
    return { chunk: own, start: 0, split: first.length, end: size };

    /** Returns `Infinity` if the text does not fit. */
    function write(text: string): number {
      if (text.length > chunk.length - used) return Infinity;
      const { read, written } = writer.encodeInto(text, chunk.subarray(used));
      used += written;
      return read === text.length ? written : Infinity;
    }
  }

  /** Engines keep the whole text from which a part was cut, so this copies the part. */
  function copyText(text: string): string {
    const known = copies.get(text);
    if (known !== undefined) return known;
    if (copies.size === mostCopies) copies.clear();
    const copy = reader.decode(writer.encode(text));
    copies.set(copy, copy);
    return copy;
  }

  /** Copies what the journal may show. A feature may have noted another object. */
  function copyTexts<T>(value: T): T {
    if (typeof value === "string") return copyText(value) as T;
    if (Array.isArray(value)) return value.map(copyTexts) as T;
    if (typeof value !== "object" || value === null) return value;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) copy[name] = copyTexts(each);
    return copy as T;
  }

  return {
    pack({ facts: { fault, ...facts }, request, response, ...entry }) {
      const { method, path, query } = request;
      const texts = [
        [query, ...request.headers.flat()].join(separator),
        request.body ?? "",
        ["", ...response.headers.flat()].join(separator),
        response.body ?? "",
      ] as const;
      const asked = place(texts[0], texts[1]);
      const answered = place(texts[2], texts[3]);
      const packed = {
        ...entry,
        request: new PackedRequest(request, asked, method, copyText(path)),
        response: new PackedResponse(response, answered, response.status),
        facts: { ...copyTexts(facts), ...present({ fault }) },
      };
      const octets = asked.end - asked.start + answered.end - answered.start;
      const extra = octets - texts.reduce((sum, text) => sum + text.length, 0);
      return { packed: packed as unknown as JournalEntry, extra };
    },
  };
}

class PackedMessage {
  readonly #place: Place;
  readonly #hasBody: boolean;
  readonly bodyLength: Message["bodyLength"] | undefined;

  constructor({ body, bodyLength }: Message, place: Place) {
    this.#place = place;
    this.#hasBody = body !== undefined;
    this.bodyLength = bodyLength;
  }

  get headers(): Message["headers"] {
    const [, ...texts] = this.readLines();
    return Array.from({ length: texts.length / 2 }, (_, at) => [texts[2 * at]!, texts[2 * at + 1]!]);
  }

  get body(): string | undefined {
    const { chunk, split, end } = this.#place;
    return this.#hasBody ? reader.decode(chunk.subarray(split, end)) : undefined;
  }

  /** The first line is the query of a request. The others are the names and values of the headers. */
  protected readLines(): readonly string[] {
    const { chunk, start, split } = this.#place;
    return reader.decode(chunk.subarray(start, split)).split(separator);
  }
}

class PackedRequest extends PackedMessage {
  readonly method: string;
  readonly path: string;

  constructor(message: Message, place: Place, method: string, path: string) {
    super(message, place);
    this.method = method;
    this.path = path;
  }

  get query(): string {
    return this.readLines()[0]!;
  }
}

class PackedResponse extends PackedMessage {
  readonly status: number;

  constructor(message: Message, place: Place, status: number) {
    super(message, place);
    this.status = status;
  }
}

/** Returns an entry whose messages are plain objects, because a test may copy their members. */
export function unpackEntry(entry: JournalEntry): JournalEntry {
  const { request, response } = entry;
  if (!(request instanceof PackedMessage)) return entry;
  const { method, path, query } = request;
  return {
    ...entry,
    request: { method, path, query, ...readMessage(request) },
    response: { status: response.status, ...readMessage(response) },
  };
}

function readMessage({ headers, body, bodyLength }: Message): Message {
  return { headers, ...present({ body, bodyLength }) };
}
