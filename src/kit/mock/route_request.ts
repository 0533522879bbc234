/** Who answers a request to a mock: the tenant that looks like a provider, the other server, the dashboard, an API, a tenant. */

import { type Answer, changeRequest, type IncomingRequest, withoutBody } from "../../ground/http/message.ts";
import { findAtOtherPort, isOwnHost, originFor } from "../../server/oauth/requests/server_urls.ts";
import { isInProcess } from "./provider/in_process.ts";
import { answerIncoming } from "./resources/answer_incoming.ts";
import type { RunningMock } from "./running_mock.ts";
import { answerAsTenant, listOpen } from "./tenants.ts";

export async function routeRequest(request: IncomingRequest, mock: RunningMock): Promise<Answer> {
  const { address } = request;
  const likeProvider = isInProcess(request) ? mock.providerAt(address.origin) : undefined;
  if (likeProvider !== undefined) return await likeProvider.answer(request);
  // A misbehaviour sends clients there.
  if (mock.otherServer.owns(address)) return await mock.otherServer.answer(request);
  return await (answerPage(request, mock) ?? answerOwnApi(request, mock) ?? answerAsTenant(request, mock));
}

/** Answers a request that may also be to an API at another origin. It comes from a connection without a port. */
export async function routeAnyRequest(request: IncomingRequest, mock: RunningMock): Promise<Answer> {
  const { address: { origin }, address, method } = request;
  const api = mock.apis.find(address, method);
  return await (api === undefined
    ? routeRequest(changeRequest(request, { peer: undefined }), mock)
    : answerIncoming(request, origin, api.answer));
}

/** Answers a request to a page of the dashboard, which is at no other port. */
function answerPage(request: IncomingRequest, mock: RunningMock): Promise<Answer> | undefined {
  const { dashboard } = mock;
  if (dashboard === undefined) return undefined;
  const isAtOtherPort = listOpen(mock).some(({ services: { settings } }) =>
    findAtOtherPort(request.address, settings) !== undefined
  );
  if (isAtOtherPort) return undefined;
  const answering = dashboard.answer(request);
  return request.method === "HEAD" ? answering?.then(withoutBody) : answering;
}

/** Answers a request to an API at the origin of the issuer, which all names of the server and its port reach. */
function answerOwnApi(
  request: IncomingRequest,
  { root, resources }: RunningMock,
): Promise<Answer> | undefined {
  if (resources.origins.size === 0) return undefined;
  const { method, address } = request;
  const { settings } = root.services;
  if (!isOwnHost(address, settings)) return undefined;
  const api = resources.find({ origin: new URL(settings.issuer).origin, path: address.path }, method);
  return api && answerIncoming(request, originFor({ request }, settings), api.answer);
}
