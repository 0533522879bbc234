/** Takes a step of a walk: sends the step's request, then the requests that show what the step has changed. */

import { createCall } from "../../client/client_request.ts";
import { callSelf } from "../../oauth/call_self.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { WalkCredentials } from "./walk_credentials.ts";
import { judgeTokens } from "./check_tokens.ts";
import type { WalkCall, WalkStep, WalkStepName } from "../../oauth/pages.ts";
import { readTokens } from "./walk.ts";
import { createIntrospection, findBlocker, type WalkState, walkSteps } from "./walk_steps.ts";
import { present } from "../../values/present.ts";

export async function takeStep(
  name: WalkStepName,
  walkState: WalkState,
  credentials: WalkCredentials,
  exchange: Exchange,
): Promise<WalkStep> {
  const { walk, services } = walkState;
  const kind = walkSteps[name];
  const before = await judgeTokens(walk, services);
  const call = await callSelf(kind.createRequest(walkState, credentials), exchange, services);
  const { baseUrl, paths } = services.settings;
  const hasJwt = readTokens(call).some(({ text }) => text.split(".").length === 3);
  const readKeys = { sent: createCall(baseUrl + paths.jwks) };
  const keys = hasJwt ? await callSelf(readKeys, exchange, services) : undefined;
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
    return await Promise.all(requests.map((request) => callSelf(request, exchange, services)));
  }
  const use = (["userinfo", "call_api"] as const).find((name) => findBlocker(name, walkState) === undefined);
  if (use === undefined) return [];
  return [await callSelf(walkSteps[use].createRequest(walkState, credentials), exchange, services)];
}
