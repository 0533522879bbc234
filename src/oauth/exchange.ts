/** One request on its way through the steps: the only object that belongs to a single request. */

import { type RandomBytes, randomText } from "../crypto/bytes.ts";
import type { BodyProblem } from "../http/body.ts";
import type { IncomingRequest } from "../http/message.ts";
import { fail } from "./error.ts";
import type { Facts } from "./journal.ts";

/** Endpoints and steps take it first. */
export interface Exchange {
  /** Also in a server_error's text. */
  readonly id: string;
  readonly request: IncomingRequest;
  readonly receivedAt: number;
  /** What was noted so far. */
  readonly facts: Partial<Facts>;
  /** The body that was read, if a step has read it. */
  readonly bodyRead: string | undefined;
  /** Read once, bounded. */
  body(): Promise<string>;
  /** What a step found out; never a secret. */
  note(facts: Partial<Facts>): void;
  /** Headers that steps added to the answer, with names in lower case. */
  readonly addedHeaders: Readonly<Record<string, string>> | undefined;
  /** For the answer, whether it is a success or a refusal; scripts that may call the endpoint may read them. */
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

/** A class: one is made for every request. */
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

  // Few exchanges are ever asked for their name.
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
