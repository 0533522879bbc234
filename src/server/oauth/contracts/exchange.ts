/** The exchange: a request, and what the steps find out about it. At its end, it is written to the journal. */

import { type RandomBytes, randomText } from "../../../ground/crypto/bytes.ts";
import { type Answer, type IncomingRequest, listHeaders } from "../../../ground/http/message.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Facts, Journal, JournalEntry, Message } from "./journal.ts";
import { type RefusalRows, refusals } from "./refusals.ts";
import { type AnswerBody, lengthOf } from "../../../ground/http/body.ts";
import { readTraceparent } from "../../../ground/http/trace.ts";
import { present } from "../../../ground/values/present.ts";

/** Endpoints and steps take the exchange as an argument. There is no other object for a single request. */
export interface Exchange {
  /** The id of the journal entry. The description of a server_error contains it. */
  readonly id: string;
  readonly request: IncomingRequest;
  readonly receivedAt: number;
  readonly facts: Partial<Facts>;
  /** The text of the body, or `undefined` if no step has read the body. */
  readonly bodyRead: string | undefined;
  /** Reads the body up to a limit. Later calls return the same text. */
  body(): Promise<string>;
  /** Lets later calls of `body` return another text. `bodyRead` stays the text that arrived. */
  replaceBody(text: string): void;
  /** Returns the parameters that this server reads, from those of the query or the form. Absent: they are the same. */
  readonly readPairs: ((pairs: readonly Pair[]) => readonly Pair[]) | undefined;
  readPairsBy(read: (pairs: readonly Pair[]) => readonly Pair[]): void;
  /** Returns the text of the form, if the body of the request is none. Absent, or `undefined`: the body is the form. */
  readonly readOtherForm: (() => Promise<string | undefined>) | undefined;
  readOtherFormBy(read: () => Promise<string | undefined>): void;
  /** What `readOtherForm` has returned last. */
  readonly otherFormRead: string | undefined;
  /** Whether the server has a journal. Without one, a step need not find out facts for it. */
  readonly hasJournal: boolean;
  /** Notes facts for the journal. They must not be secrets. */
  note(facts: Partial<Facts>): void;
  readonly addedHeaders: Readonly<Record<string, string>> | undefined;
  /** Adds headers (lower-case names) to the answer or refusal. Scripts that may call the endpoint can read them. */
  addHeaders(headers: Readonly<Record<string, string>>): void;
  /** The languages that the client wants for the pages: its `ui_locales` (OpenID Connect Core §3.1.2.1). */
  readonly uiLocales: string | undefined;
  /** Sets `uiLocales`, unless the value is `undefined`. */
  preferLanguages(uiLocales: string | undefined): void;
}

const bodyLimit = 64 * 1024;

const refusal = refusals({ error: "invalid_request" }, {
  body_too_large: {
    status: 413,
    sentence: `The body is larger than ${bodyLimit} bytes`,
    change: "Send a body of at most 64 KB.",
  },
  body_not_utf8: {
    sentence: "The body is not UTF-8",
    change: "Encode the body as UTF-8.",
  },
  body_encoded: {
    status: 415,
    sentence: "The body must not have a Content-Encoding",
    change: "Send the body without Content-Encoding.",
  },
  body_interrupted: {
    sentence: "The body ended before it was complete",
    change: "Send the whole body before the connection closes.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function createExchange(
  request: IncomingRequest,
  { receivedAt, random, hasJournal }: {
    readonly receivedAt: number;
    readonly random: RandomBytes;
    readonly hasJournal: boolean;
  },
): Exchange {
  return new RunningExchange(request, receivedAt, random, hasJournal);
}

export function createExchangeId(random: RandomBytes): string {
  return randomText(random, 9);
}

/** It is a class because that is the fastest way to create one object for each request. */
class RunningExchange implements Exchange {
  readonly facts: Partial<Facts> = {};
  bodyRead: string | undefined;
  readPairs: Exchange["readPairs"];
  readOtherForm: Exchange["readOtherForm"];
  otherFormRead: string | undefined;
  addedHeaders: Exchange["addedHeaders"];
  uiLocales: string | undefined;
  readonly #random: RandomBytes;
  #id: string | undefined;
  #reading: Promise<string> | undefined;

  constructor(
    readonly request: IncomingRequest,
    readonly receivedAt: number,
    random: RandomBytes,
    readonly hasJournal: boolean,
  ) {
    this.#random = random;
  }

  // The id is created when it is needed, because without a journal few exchanges need one.
  get id(): string {
    return this.#id ??= this.request.id ?? createExchangeId(this.#random);
  }

  body(): Promise<string> {
    return this.#reading ??= this.#read();
  }

  replaceBody(text: string): void {
    this.#reading = Promise.resolve(text);
  }

  readPairsBy(read: (pairs: readonly Pair[]) => readonly Pair[]): void {
    this.readPairs = read;
  }

  readOtherFormBy(read: () => Promise<string | undefined>): void {
    this.readOtherForm = async () => this.otherFormRead = await read();
  }

  note(found: Partial<Facts>): void {
    Object.assign(this.facts, found);
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.addedHeaders = { ...this.addedHeaders, ...headers };
  }

  preferLanguages(uiLocales: string | undefined): void {
    this.uiLocales = uiLocales ?? this.uiLocales;
  }

  async #read(): Promise<string> {
    const body = await this.request.readBody(bodyLimit);
    if ("text" in body) return this.bodyRead = body.text;
    throw refusal(`body_${body.problem}`);
  }
}

export function writeEntry(journal: Journal, exchange: Exchange, answer: Answer, now: number): void {
  const { request, receivedAt, facts, id, bodyRead } = exchange;
  const { path, query } = request.address;
  const trace = readTraceparent(request.header("traceparent"));
  const entry: JournalEntry = {
    id,
    receivedAt,
    duration: now - receivedAt,
    ...present({ trace }),
    request: {
      method: request.method,
      path,
      query,
      headers: request.headers(),
      ...present({ body: bodyRead }),
    },
    response: { status: answer.status, headers: listHeaders(answer.headers), ...describeBody(answer.body) },
    facts,
  };
  callJournal(journal, entry);
}

/** If the journal of a developer throws or rejects, the answer stays the same, and the process goes on. */
function callJournal(journal: Journal, entry: JournalEntry): void {
  try {
    // The type allows an async function. A journal around that of the developer returns its promise.
    const writing: unknown = journal(entry);
    if (writing !== undefined) Promise.resolve(writing).catch(() => {});
  } catch {
    // The program of the developer has to report it.
  }
}

/** Returns the text of a body, or the length of a body that is not text. A stream is not read. */
function describeBody(body: AnswerBody): Pick<Message, "body" | "bodyLength"> {
  if (typeof body !== "string") return { bodyLength: lengthOf(body) ?? "unknown" };
  return body === "" ? {} : { body };
}
