/** The authorization endpoint. It takes requests by GET and POST, and names the issuer in every answer (OAuth 2.1 §3.1, §4.1). */

import type { Answer } from "../../ground/http/message.ts";
import type { AuthorizationRequest, RedirectTarget } from "../oauth/contracts/authorization_request.ts";
import {
  requireAuthorizationRequest,
  requireShortForm,
} from "../oauth/authorization/require_authorization_request.ts";
import { identifyClient, requireRedirectTarget } from "../oauth/authorization/require_redirect_target.ts";
import { askAgainByGet, isFromAnotherOrigin } from "../oauth/authorization/sending_page.ts";
import { answerNewRequest } from "../oauth/authorization/steps.ts";
import { usualPaths } from "../oauth/contracts/paths.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Feature, RequestKind, Services } from "../oauth/contracts/feature.ts";
import { type Params, readForm, readQuery } from "../oauth/contracts/params.ts";
import { type OAuthError, type RefusalRows, refusals, wireText } from "../oauth/contracts/refusals.ts";
import { isLoopbackRedirectUri } from "../oauth/clients/metadata/redirect_uri.ts";
import type { Pair } from "../../ground/http/form.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import { callbackUri } from "../oauth/requests/server_urls.ts";
import { rememberLastClient } from "../oauth/authorization/last_client.ts";

const refusal = refusals({
  query_beside_form: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "A POST must send its parameters in the form, not in the query",
    expected:
      "a GET with a query, or a POST with a form. A test that posts a username to a login page calls POST /_postern/next_sign_in (start with --control) before the GET instead",
    change: "Send all parameters in the form, or use GET with a query.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function authorize(): Feature<"authorize"> {
  const endpoint = {
    name: "authorize",
    path: usualPaths.authorize,
    metadataName: "authorization_endpoint",
    refusal: "page",
    handle: startRequest,
  } as const;
  return {
    name: "authorize",
    spec: "OAuth 2.1 §3.1, §4.1, RFC 9207",
    endpoints: [{ method: "GET", ...endpoint }, { method: "POST", ...endpoint }],
    requestKinds: [authorizationKind],
    metadata: {
      // OpenID Connect Discovery §3, RFC 8414 §2.
      ui_locales_supported: ({ pages }) => pages.languages,
      authorization_response_iss_parameter_supported: true,
    },
  };
}

async function startRequest(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  if (exchange.request.method === "POST" && isFromAnotherOrigin(exchange)) {
    return await askAgainByGet(exchange, services.settings.paths.authorize, services);
  }
  const params = await readAuthorizationParams(exchange);
  exchange.preferLanguages(params.get("ui_locales"));
  // identify, validate, act, respond
  return await answerNewRequest(authorizationKind.name, params, exchange, services);
}

async function readAuthorizationParams(exchange: Exchange): Promise<Params> {
  const query = readQuery(exchange);
  if (exchange.request.method !== "POST") return query;
  if (query.pairs.length > 0) throw refusal("query_beside_form");
  const form = await readForm(exchange);
  requireShortForm(exchange);
  return form;
}

const authorizationKind: RequestKind<RedirectTarget, AuthorizationRequest> = {
  name: "authorization",
  path: usualPaths.authorize,
  async findDestination({ params }, exchange, services) {
    const client = await identifyClient(params, exchange, services);
    const target = requireRedirectTarget(params, client, exchange, services);
    if (params.get("code_challenge") === undefined) exchange.note({ pkce: "none" });
    return target;
  },
  async validate(pending, target, exchange, services) {
    const request = await requireAuthorizationRequest(pending, target, exchange, services);
    if (request.challenge !== undefined) exchange.note({ pkce: "S256" });
    return request;
  },
  issue(approval, { request, destination: { client } }, services) {
    return services.slots.responseTypes.get(request.responseType)!.issue(approval, request, services, client);
  },
  respond: ({ params = [] }, target, exchange, services) => answerClient(target, params, exchange, services),
  accepts: mayReceiveError,
  refuse(error, target, exchange, services) {
    const params: readonly Pair[] = [["error", error.error], ["error_description", wireText(error.message)]];
    return answerClient(target, params, exchange, services);
  },
};

/** Sends the parameters with the unchanged `state` (OAuth 2.1 §4.1.2) and `iss` (RFC 9207), also for errors. */
async function answerClient(
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
  const answer = await mode.respond({ ...target, redirectUri }, response.params, exchange, services);
  return redirectUri === callbackUri(settings) ? rememberLastClient(answer, client, services) : answer;
}

/**
 * If no person has approved the client, the server shows the error on a page, because otherwise any website could use the
 * server as an open redirector. A person's denial is always sent. So is each error of a request with prompt=none on
 * loopback: the client waits for a redirect in a hidden iframe (OpenID Connect Core §3.1.2.6).
 */
function mayReceiveError(
  { details }: OAuthError,
  { client, isSilent, redirectUri }: RedirectTarget,
): boolean {
  return client.approvedBy !== undefined || details.reason === "user_denied" ||
    isSilent && isLoopbackRedirectUri(redirectUri);
}
