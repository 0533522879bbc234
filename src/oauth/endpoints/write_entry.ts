/** Writes the journal entry of an answered request. */

import { type AnswerBody, lengthOf } from "../../http/answer_body.ts";
import { type Answer, listHeaders } from "../../http/message.ts";
import { readTraceparent } from "../../http/trace_context.ts";
import type { Exchange } from "../exchange.ts";
import { callJournal, type Journal, type JournalEntry, type Message } from "../journal.ts";

export function writeEntry(journal: Journal, exchange: Exchange, answer: Answer, now: number): void {
  const { request, receivedAt, facts, id, bodyRead } = exchange;
  const { path, query } = request.address;
  const trace = readTraceparent(request.header("traceparent"));
  const entry: JournalEntry = {
    id,
    receivedAt,
    duration: now - receivedAt,
    ...(trace === undefined ? {} : { trace }),
    request: {
      ...{ method: request.method, path, query, headers: request.headers() },
      ...(bodyRead === undefined ? {} : { body: bodyRead }),
    },
    response: {
      ...{ status: answer.status, headers: listHeaders(answer.headers) },
      ...describeBody(answer.body),
    },
    facts,
  };
  callJournal(journal, entry);
}

/** Returns the text of a body, or the length of a body that is not text. A stream is not read. */
function describeBody(body: AnswerBody): Pick<Message, "body" | "bodyLength"> {
  if (typeof body !== "string") return { bodyLength: lengthOf(body) ?? "unknown" };
  return body === "" ? {} : { body };
}
