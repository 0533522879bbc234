/** The way of a request through a tenant: every request passes the gates, reaches the current server, and is recorded. */

import { cancelBody } from "../../../ground/http/body.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import { asOAuthError, refusalJson } from "../../../server/oauth/requests/refuse.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";
import { type EndpointName, nameEndpoint } from "../endpoints.ts";
import { AnswerLost } from "../network/network_error.ts";
import { isInProcess } from "../provider/in_process.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { answerCutShort, CutShort } from "./cut_short.ts";
import { findFace, serverFor } from "./serving.ts";
import { trackRequest } from "./tracked_requests.ts";

export function answerPastGates(request: IncomingRequest, running: RunningTenant): Promise<Answer> {
  return answerCutShort(request, () => {
    running.requireOpen();
    const name = `${request.method} ${request.address.path}`;
    return running.runningRequests.run(name, passServer(request, running));
  });
}

async function passServer(request: IncomingRequest, running: RunningTenant): Promise<Answer> {
  const { conditions: { clock, gates }, activeList, serving } = running;
  const { state } = serving;
  const { method, address: { origin, path } } = request;
  const finding = isInProcess(request) ? findFace(origin, running) : undefined;
  const face = finding && await finding;
  const endpoint = face === undefined
    ? endpointOf(request, running)
    : nameEndpoint({ method, path }, serverFor(face, running).router);
  const at = { endpoint, arrivedAt: clock.serverNow() };
  const own = face === undefined ? at : { ...at, face, url: origin + path };
  const tracked = trackRequest(request, own, running.tracked);
  const requireNoReset = () => {
    if (state !== serving.state) throw new CutShort("The mock was reset while this request was running");
  };
  // The gate comes first, so that changes by the test during the wait apply to the held request.
  await gates.arrive(endpoint);
  await activeList.loading;
  requireNoReset();
  const answer = await serverFor(face, running).server.answer(request);
  // The client does not get this response, so the stream in its body has no reader.
  if (tracked.isLost || state !== serving.state) cancelBody(answer.body);
  requireNoReset();
  if (tracked.isLost) throw new AnswerLost();
  return answer;
}

/** Answers a request to an API of the test. */
export async function answerApiPastGates(
  exchange: Exchange,
  work: () => Promise<Answer>,
  record: Parameters<RunningTenant["answerApi"]>[2],
  running: RunningTenant,
): Promise<Answer> {
  const { clock, conditions: { gates }, activeList } = running;
  const endpoint = "resource";
  const tracked = trackRequest(exchange.request, { endpoint, arrivedAt: clock.now }, running.tracked);
  await gates.arrive(endpoint);
  await activeList.loading;
  const { seams } = running.services;
  const answer = await answerErrors(exchange, async () => {
    const { answer: own } = await passSeam(seams, "arrival", { request: exchange.request }, exchange);
    return await passSeam(seams, "response", own ?? await work(), exchange);
  });
  tracked.isLost ||= gates.takeDrop(endpoint);
  record(answer, tracked);
  if (!tracked.isLost) return answer;
  cancelBody(answer.body);
  throw new AnswerLost();
}

/** Turns an error into an answer: a failure that the test asked for, or an error that a hook threw. */
async function answerErrors(exchange: Exchange, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    return refusalJson(asOAuthError(error, exchange.id), exchange);
  }
}

/** Returns the endpoint of a request, even if the issuer has changed since the request arrived. */
export function endpointOf(request: IncomingRequest, { tracked, serving }: RunningTenant): EndpointName {
  const { method, address: { path } } = request;
  return tracked.get(request)?.endpoint ?? nameEndpoint({ method, path }, serving.current.router);
}
