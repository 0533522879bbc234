/** Writes the journal entry of an answered request. */

import { type AnswerBody, lengthOf } from "./http/body.ts";
import { type Answer, listHeaders } from "./http/message.ts";
import { readTraceparent } from "./http/trace_context.ts";
import type { Exchange } from "./oauth/exchange.ts";
import type { Journal, JournalEntry, Message } from "./oauth/journal.ts";
import { present } from "./values/present.ts";

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
