/**
 * The way of each request through the server, from its arrival to the journal. `createServer` makes the router once:
 * `move_endpoints.ts` gives the endpoints of the features their paths, `asset_endpoints.ts` adds the files of pages, and
 * `endpoint_router.ts` puts them together.
 *
 * Before this, a listener (`runtime/`) reads the request, and trusted proxies may name its peer. Then `server.ts` lets an
 * attached dashboard answer its own pages, and the store bounds how long the answer waits for it (`store.forRequest`).
 *
 * | function      | step           | what it does                                                                        |
 * | ------------- | -------------- | ----------------------------------------------------------------------------------- |
 * | answerRequest | createExchange | gives the request an id, and a place for what the steps find out                    |
 * |               | findEndpoint   | finds the endpoint, or one that refuses (`refuse_request.ts`) and says where the    |
 * |               |                | right one is (`locate_endpoint.ts`)                                                 |
 * |               | callEndpoint   | passes the seam `arrival`, and lets the endpoint answer                             |
 * |               | answerRefusal  | answers what the endpoint or a seam threw, as JSON or as a page                     |
 * |               | addMoreHeaders | adds the headers of the exchange, and CORS                                          |
 * |               | passResponse   | passes the seam `response`, and checks an answer if any seam has changed something  |
 * |               | noteIgnored    | notes a proof of possession that was sent in vain, if there is an entry             |
 * |               | writeEntry     | writes the exchange to the journal; a routine endpoint has entries of refusals only |
 */

import { cancelBody } from "../../ground/http/body.ts";
import { allowAnyOrigin } from "../../ground/http/respond.ts";
import { type Answer, findUnsendable, type IncomingRequest } from "../../ground/http/message.ts";
import { isNavigation } from "../../ground/http/request_origin.ts";
import type { Found, Router } from "../../ground/http/router.ts";
import {
  asOAuthError,
  formatRefusal,
  noteWithLibrary,
  refusalJson,
  refusalPage,
} from "../oauth/requests/refuse.ts";
import { createExchange, type Exchange, writeEntry } from "../oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../oauth/contracts/feature.ts";
import type { Journal } from "../oauth/contracts/journal.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import { findEndpoint } from "./find_endpoint.ts";

const refusal = refusals({
  server_closed: {
    error: "temporarily_unavailable",
    sentence: "The server is closed",
    change: "Start the server again, or send the request before the server stops.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface AnswerOptions {
  readonly services: Services;
  readonly router: Router<Endpoint>;
  readonly journal: Journal | undefined;
  readonly isClosed: () => boolean;
}

export async function answerRequest(request: IncomingRequest, options: AnswerOptions): Promise<Answer> {
  const { services, router, journal } = options;
  const { now, random, seams } = services;
  const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: journal !== undefined });
  const found = findEndpoint(request, router, services);
  const { handler: endpoint } = found;
  exchange.note({ endpoint: endpoint.name ?? "page" });
  let first: Answer;
  try {
    first = await callEndpoint(exchange, found, options);
  } catch (thrown) {
    first = await answerRefusal(thrown, exchange, endpoint, services);
  }
  let answer = addMoreHeaders(first, exchange, endpoint);
  if (seams.response !== undefined || exchange.facts.altered !== undefined) {
    answer = await passResponse(answer, exchange, endpoint, services);
  }
  if (answer.body !== first.body) cancelBody(first.body);
  const isNoted = !endpoint.isRoutine || answer.status >= 400;
  if (journal !== undefined && isNoted) {
    for (const proof of services.slots.senderProofs.values()) {
      const noting = proof.noteIgnored?.(exchange, endpoint, services);
      if (noting !== undefined) await noting;
    }
    writeEntry(journal, exchange, answer, now());
  }
  return answer;
}

/** Calls the endpoint. It is not async, because a thrown refusal takes less time than a rejected promise. */
function callEndpoint(
  exchange: Exchange,
  { handler, variable }: Found<Endpoint>,
  { services, isClosed }: AnswerOptions,
): Answer | Promise<Answer> {
  if (isClosed()) throw refusal("server_closed");
  const call = () => handler.handle(exchange, services, variable);
  return services.seams.arrival === undefined ? call() : passArrival(exchange, services, call);
}

async function passArrival(
  exchange: Exchange,
  { seams }: Services,
  call: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const { answer } = await passSeam(seams, "arrival", { request: exchange.request }, exchange);
  return answer ?? await call();
}

/** A page is for the person who opened it, so no script of another origin may read it. */
function addMoreHeaders(answer: Answer, { addedHeaders }: Exchange, { cors }: Endpoint): Answer {
  const all = addedHeaders === undefined
    ? answer
    : { ...answer, headers: { ...addedHeaders, ...answer.headers } };
  const isReadable = cors && !all.headers["content-type"]?.includes("text/html");
  return isReadable ? allowAnyOrigin(all, addedHeaders) : all;
}

async function passResponse(
  answer: Answer,
  exchange: Exchange,
  endpoint: Endpoint,
  services: Services,
): Promise<Answer> {
  try {
    const passed = await passSeam(services.seams, "response", answer, exchange);
    const problem = findUnsendable(passed);
    if (problem !== undefined) throw new TypeError(problem);
    return passed;
  } catch (thrown) {
    return await answerRefusal(thrown, exchange, endpoint, services);
  }
}

/** Turns an error into an answer. For authorization requests, `authorization/steps.ts` does so, too. */
async function answerRefusal(
  thrown: unknown,
  exchange: Exchange,
  endpoint: Endpoint,
  services: Services,
): Promise<Answer> {
  const error = asOAuthError(thrown, exchange.id);
  // At an address for programs, a page tells a person what they send.
  const isExplained = error.details.programsSend !== undefined && isNavigation(exchange.request);
  if (endpoint.refusal === "json" && !isExplained) {
    await noteWithLibrary(error, exchange, services);
    return formatRefusal(error, { realm: "postern" });
  }
  // If the page itself fails, the caller still gets an answer.
  return await refusalPage(error, exchange, services).catch((fault) =>
    refusalJson(asOAuthError(fault, exchange.id), exchange)
  );
}
