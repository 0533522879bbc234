/** One request on its way through the steps: the only object that belongs to a single request. */

import { type RandomBytes, randomText } from "../crypto/bytes.ts";
import { type BodyProblem, readBody } from "../http/body.ts";
import { fail } from "./error.ts";
import type { Facts } from "./journal.ts";

/** Endpoints and steps take it first. */
export interface Exchange {
  /** Also in a server_error's text. */
  readonly id: string;
  readonly request: Request;
  readonly url: URL;
  /** Who is at the other end of the connection, where the caller of `fetch` said so. */
  readonly peer: string | undefined;
  readonly receivedAt: number;
  /** What was noted so far. */
  readonly facts: Partial<Facts>;
  /** The body that was read, if a step has read it. */
  readonly bodyRead: string | undefined;
  /** Read once, bounded. */
  body(): Promise<string>;
  /** What a step found out; never a secret. */
  note(facts: Partial<Facts>): void;
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
  request: Request,
  terms: {
    readonly url: URL;
    readonly peer: string | undefined;
    readonly receivedAt: number;
    readonly random: RandomBytes;
  },
): Exchange {
  let id: string | undefined;
  let reading: Promise<string> | undefined;
  let bodyRead: string | undefined;
  const facts: Partial<Facts> = {};

  async function read(): Promise<string> {
    const body = await readBody(request, bodyLimit, terms.peer !== undefined);
    if ("text" in body) return bodyRead = body.text;
    const { description, status } = bodyProblems[body.problem];
    return fail<BodyReason>("invalid_request", description, { reason: `body_${body.problem}`, status });
  }

  return {
    request,
    url: terms.url,
    peer: terms.peer,
    receivedAt: terms.receivedAt,
    facts,
    // Few exchanges are ever asked for their name.
    get id() {
      return id ??= randomText(terms.random, 9);
    },
    get bodyRead() {
      return bodyRead;
    },
    body: () => reading ??= read(),
    note: (found) => void Object.assign(facts, found),
  };
}
