/** The way of one request: arrival, endpoint, response, journal. Every request takes it. */

import { cancelBody } from "../../http/answer_body.ts";
import { allowAnyOrigin } from "../../http/cors.ts";
import { type Answer, findUnsendable, type IncomingRequest } from "../../http/message.ts";
import type { Found, Router } from "../../http/router.ts";
import { asOAuthError, fail } from "../error.ts";
import { createExchange, type Exchange } from "../exchange.ts";
import type { Endpoint } from "../feature.ts";
import type { Journal } from "../journal.ts";
import { passSeam } from "../seams.ts";
import type { Services } from "../services.ts";
import { findEndpoint } from "./find_endpoint.ts";
import { refusalJson, refusalPage } from "./refuse.ts";
import { writeEntry } from "./write_entry.ts";

export type AnswerReason = "server_closed";

/** What all requests of one server have in common. */
export interface AnswerTerms {
  readonly services: Services;
  readonly router: Router<Endpoint>;
  readonly journal: Journal | undefined;
  readonly isClosed: () => boolean;
}

export async function answerRequest(request: IncomingRequest, terms: AnswerTerms): Promise<Answer> {
  const { services, router, journal } = terms;
  const { now, random, settings, seams } = services;
  const exchange = createExchange(request, { receivedAt: now(), random });
  exchange.note({ endpoint: request.address.path });
  const found = findEndpoint(request, router, settings);
  const made = await catching(exchange, found.handler, services, () => handle(exchange, found, terms));
  const complete = withMoreHeaders(made, exchange, found.handler);
  const isHooked = seams.response !== undefined || exchange.facts.altered !== undefined;
  const answer = !isHooked ? complete : await catching(exchange, found.handler, services, async () => {
    return requireSendable(await passSeam(seams, "response", complete, exchange));
  });
  if (answer.body !== made.body) cancelBody(made.body);
  if (journal !== undefined) writeEntry(journal, exchange, answer, now());
  return answer;
}

async function handle(
  exchange: Exchange,
  { handler, variable }: Found<Endpoint>,
  { services, isClosed }: AnswerTerms,
): Promise<Answer> {
  if (isClosed()) {
    fail<AnswerReason>("temporarily_unavailable", "The server is closed", { reason: "server_closed" });
  }
  const { seams } = services;
  const { answer } = seams.arrival === undefined
    ? {}
    : await passSeam(seams, "arrival", { request: exchange.request }, exchange);
  return answer ?? await handler.handle(exchange, services, variable);
}

/** Headers that the endpoint did not write. Its own count more than those that a step added. */
function withMoreHeaders(answer: Answer, { addedHeaders }: Exchange, { cors }: Endpoint): Answer {
  const all = addedHeaders === undefined
    ? answer
    : { ...answer, headers: { ...addedHeaders, ...answer.headers } };
  return cors ? allowAnyOrigin(all, addedHeaders) : all;
}

/** Only a hook can make an answer that cannot be sent. A listener would have to cut the connection. */
function requireSendable(answer: Answer): Answer {
  const problem = findUnsendable(answer);
  if (problem !== undefined) throw new TypeError(problem);
  return answer;
}

/** One of the two places that catch. The other is `authorization/answer_client.ts`, where a client is known to answer. */
async function catching(
  exchange: Exchange,
  endpoint: Endpoint,
  services: Services,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    const error = asOAuthError(thrown, exchange.id);
    if (endpoint.refusal === "json") return refusalJson(error, exchange);
    // A page that cannot be made must not leave the caller without an answer.
    return await refusalPage(error, exchange, services).catch((fault) =>
      refusalJson(asOAuthError(fault, exchange.id), exchange)
    );
  }
}
