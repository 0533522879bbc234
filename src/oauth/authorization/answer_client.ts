/** Answering the client through the browser: the one verified place that an answer may go to, success or refusal. */

import type { Answer } from "../../http/message.ts";
import { isLoopbackUri } from "../clients/redirect_uri.ts";
import { type OAuthError, wireText } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Pair } from "../params.ts";
import { passSeam } from "../seams.ts";
import type { Services } from "../services.ts";
import { callbackUri, rememberLastClient } from "./sample_flow.ts";
import type { RedirectTarget } from "./redirect_target.ts";

/** OAuth 2.1 §4.1.2: the parameters, `state` as it came, and `iss` (RFC 9207) on success and on refusal. */
export async function answerClient(
  target: RedirectTarget,
  params: readonly Pair[],
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const state: readonly Pair[] = target.state === undefined ? [] : [["state", target.state]];
  const answer: readonly Pair[] = [...params, ...state, ["iss", services.settings.issuer]];
  const { redirectUri, responseMode } = target;
  const said = await passSeam(
    services.seams,
    "authorization_response",
    { redirectUri, mode: responseMode, params: answer },
    exchange,
  );
  const mode = services.slots.responseModes.get(said.mode) ?? services.slots.responseModes.get(responseMode)!;
  const made = await mode.respond(
    { ...target, redirectUri: said.redirectUri },
    said.params,
    exchange,
    services,
  );
  return said.redirectUri === callbackUri(services.settings)
    ? rememberLastClient(made, target.client, services)
    : made;
}

export async function refuseToClient(
  target: RedirectTarget,
  error: OAuthError,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const params: readonly Pair[] = [
    ["error", error.error],
    ["error_description", wireText(error.message)],
  ];
  return await answerClient(target, params, exchange, services);
}

/**
 * Where no person has approved the client, the server shows errors on a page instead. A silent request waits in a hidden
 * iframe, which a page would never end (OpenID Connect Core §3.1.2.6); on loopback its answer stays on this machine.
 */
export function mayHear({ details }: OAuthError, { client, isSilent, redirectUri }: RedirectTarget): boolean {
  return client.approvedBy !== undefined || details.reason === "user_denied" ||
    isSilent && isLoopbackUri(redirectUri);
}
