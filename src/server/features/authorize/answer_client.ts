/** Sends an authorization response to the client's verified redirect URI, through the browser. */

import type { Answer } from "../../http/message.ts";
import { isLoopbackRedirectUri } from "../../oauth/clients/redirect_uri.ts";
import { type OAuthError, wireText } from "../../oauth/error.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Pair } from "../../http/form.ts";
import { passSeam } from "../../oauth/seams.ts";
import type { Services } from "../../oauth/services.ts";
import { callbackUri, rememberLastClient } from "../../oauth/authorization/sample_flow.ts";
import type { RedirectTarget } from "../../oauth/authorization/contract.ts";

/** Sends the parameters with the unchanged `state` (OAuth 2.1 §4.1.2) and `iss` (RFC 9207), also for errors. */
export async function answerClient(
  target: RedirectTarget,
  params: readonly Pair[],
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { seams, settings, slots } = services;
  const { client, state } = target;
  const iss: Pair = ["iss", settings.issuer];
  const allParams: readonly Pair[] = state === undefined
    ? [...params, iss]
    : [...params, ["state", state], iss];
  const value = { redirectUri: target.redirectUri, mode: target.responseMode, params: allParams };
  const response = await passSeam(seams, "authorization_response", value, exchange);
  const mode = slots.responseModes.get(response.mode) ?? slots.responseModes.get(target.responseMode)!;
  const { redirectUri } = response;
  const end = redirectUri === target.redirectUri ? target : { ...target, redirectUri };
  const answer = await mode.respond(end, response.params, exchange, services);
  return redirectUri === callbackUri(settings) ? rememberLastClient(answer, client, services) : answer;
}

/** Sends an error response to the client. */
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
 * Returns whether the client may receive this error. If no person has approved the client, the server shows the error on
 * a page, because otherwise any website could use the server as an open redirector. A person's denial is always sent. So
 * is each error of a request with prompt=none on loopback: the client waits for a redirect in a hidden iframe (OpenID
 * Connect Core §3.1.2.6), and the redirect does not leave this machine.
 */
export function mayReceiveError(
  { details }: OAuthError,
  { client, isSilent, redirectUri }: RedirectTarget,
): boolean {
  return client.approvedBy !== undefined || details.reason === "user_denied" ||
    isSilent && isLoopbackRedirectUri(redirectUri);
}
