/** Takes a step of a walk: sends the step's request, then the requests that show what the step has changed. */

import { createCall } from "../../client/client_request.ts";
import { createExchangeId, type Exchange } from "../../oauth/exchange.ts";
import type { OwnRequest, WalkCredentials } from "./walk_credentials.ts";
import { judgeTokens } from "./check_tokens.ts";
import type { WalkCall, WalkStep, WalkStepName } from "../../oauth/pages.ts";
import { readTokens } from "./walk.ts";
import { createIntrospection, findBlocker, type WalkState, walkSteps } from "./walk_steps.ts";
import { present } from "../../values/present.ts";
import { readAnswerText } from "../../http/body.ts";
import { fromRequest, listHeaders } from "../../http/message.ts";
import { formatParams } from "../../http/form.ts";
import type { Services } from "../../oauth/feature.ts";

export async function takeStep(
  name: WalkStepName,
  walkState: WalkState,
  credentials: WalkCredentials,
  exchange: Exchange,
): Promise<WalkStep> {
  const { walk, services } = walkState;
  const kind = walkSteps[name];
  const before = await judgeTokens(walk, services);
  const call = await callServer(kind.createRequest(walkState, credentials), exchange, services);
  const { baseUrl, paths } = services.settings;
  const hasJwt = readTokens(call).some(({ text }) => text.split(".").length === 3);
  const readKeys = { sent: createCall(baseUrl + paths.jwks) };
  const keys = hasJwt ? await callServer(readKeys, exchange, services) : undefined;
  const after = await judgeTokens(walk, services);
  return {
    name,
    takenAt: services.now(),
    call,
    ...present({ keys }),
    proofs: kind.provesTokens ? await proveStates(walkState, credentials, exchange) : [],
    ended: before.flatMap(({ state }, at) => state === "works" && after[at]?.state !== "works" ? [at] : []),
  };
}

/** Asks the server whether the newest tokens still work: by introspection, or by a use of the access token. */
async function proveStates(
  walkState: WalkState,
  credentials: WalkCredentials,
  exchange: Exchange,
): Promise<readonly WalkCall[]> {
  const { accessToken, refreshToken, services } = walkState;
  const tokens = [accessToken, refreshToken].filter((token) => token !== undefined);
  if (findBlocker("introspect", walkState) === undefined && credentials.secret !== undefined) {
    const requests = tokens.map((token) => createIntrospection(token, walkState, credentials));
    return await Promise.all(requests.map((request) => callServer(request, exchange, services)));
  }
  const use = (["userinfo", "call_api"] as const).find((name) => findBlocker(name, walkState) === undefined);
  if (use === undefined) return [];
  return [await callServer(walkSteps[use].createRequest(walkState, credentials), exchange, services)];
}

// In characters. A misbehaviour may answer with more than a page should hold.
const longestBody = 16_384;

/** Sends the request to this server itself, without a socket. Its peer is that of the person's request, so that limits count the person. */
async function callServer(
  { sent, shown = sent }: OwnRequest,
  exchange: Exchange,
  { fetch, random }: Services,
): Promise<WalkCall> {
  const id = createExchangeId(random);
  const request = new Request(sent.url, {
    method: sent.method,
    headers: sent.headers.map(([name, value]): [string, string] => [name, value]),
    ...(sent.form === undefined ? {} : { body: formatParams(sent.form) }),
  });
  const answer = await fetch.callSelf(Object.assign(fromRequest(request, exchange.request.peer), { id }));
  return {
    id,
    request: shown,
    response: {
      status: answer.status,
      headers: listHeaders(answer.headers),
      body: await readAnswerText(answer.body, longestBody),
    },
  };
}
