/** One request and what the steps find out about it: the only object of a single request. */

import { type RandomBytes, randomText } from "../crypto/bytes.ts";
import type { BodyProblem } from "../http/body.ts";
import type { IncomingRequest } from "../http/message.ts";
import { fail } from "./error.ts";
import type { Facts } from "./journal.ts";

/** Endpoints and steps take it first. */
export interface Exchange {
  /** Named in the text of a server_error, so that the journal's entry can be found. */
  readonly id: string;
  readonly request: IncomingRequest;
  readonly receivedAt: number;
  /** What has been noted so far. */
  readonly facts: Partial<Facts>;
  /** The body, if a step has read it. */
  readonly bodyRead: string | undefined;
  /** Reads the body once, up to a limit. */
  body(): Promise<string>;
  /** For the journal. Never a secret. */
  note(facts: Partial<Facts>): void;
  /** Headers that steps added to the answer, with names in lower case. */
  readonly addedHeaders: Readonly<Record<string, string>> | undefined;
  /** For the answer, success or refusal. Scripts that may call the endpoint may read these headers. */
  addHeaders(headers: Readonly<Record<string, string>>): void;
}

export type BodyReason = `body_${BodyProblem}`;

const bodyLimit = 64 * 1024;

const bodyProblems: Readonly<Record<BodyProblem, { readonly description: string; readonly status: number }>> =
  {
    too_large: { description: `The body is larger than ${bodyLimit} bytes`, status: 413 },
    not_utf8: { description: "The body is not UTF-8", status: 400 },
    encoded: { description: "The body must not have a Content-Encoding", status: 415 },
    interrupted: { description: "The body ended before it was complete", status: 400 },
  };

export function createExchange(
  request: IncomingRequest,
  terms: { readonly receivedAt: number; readonly random: RandomBytes },
): Exchange {
  return new RunningExchange(request, terms.receivedAt, terms.random);
}

/** A class, because there is one for every request. */
class RunningExchange implements Exchange {
  readonly request: IncomingRequest;
  readonly receivedAt: number;
  readonly facts: Partial<Facts> = {};
  readonly #random: RandomBytes;
  #id: string | undefined;
  #reading: Promise<string> | undefined;
  #bodyRead: string | undefined;
  #addedHeaders: Readonly<Record<string, string>> | undefined;

  constructor(request: IncomingRequest, receivedAt: number, random: RandomBytes) {
    this.request = request;
    this.receivedAt = receivedAt;
    this.#random = random;
  }

  // Made when it is needed: without a journal few exchanges need it.
  get id(): string {
    return this.#id ??= randomText(this.#random, 9);
  }

  get bodyRead(): string | undefined {
    return this.#bodyRead;
  }

  body(): Promise<string> {
    return this.#reading ??= this.#read();
  }

  note(found: Partial<Facts>): void {
    Object.assign(this.facts, found);
  }

  get addedHeaders(): Readonly<Record<string, string>> | undefined {
    return this.#addedHeaders;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#addedHeaders = { ...this.#addedHeaders, ...headers };
  }

  async #read(): Promise<string> {
    const body = await this.request.readBody(bodyLimit);
    if ("text" in body) return this.#bodyRead = body.text;
    const { description, status } = bodyProblems[body.problem];
    return fail<BodyReason>("invalid_request", description, { reason: `body_${body.problem}`, status });
  }
}
