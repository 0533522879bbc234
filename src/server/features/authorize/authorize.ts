/** The authorization endpoint. It takes requests by GET and POST, and names the issuer in every answer (OAuth 2.1 §3.1, §4.1). */

import type { Answer } from "../../http/message.ts";
import { answerClient, mayReceiveError, refuseToClient } from "./answer_client.ts";
import { askPerson } from "../../oauth/authorization/asking/ask_person.ts";
import type { PendingRequest, RequestEnd } from "../../oauth/authorization/asking/contract.ts";
import {
  requireAuthorizationRequest,
  requireShortForm,
} from "../../oauth/authorization/require_authorization_request.ts";
import { requireRedirectTarget } from "../../oauth/authorization/require_redirect_target.ts";
import { resolveRequest } from "../../oauth/authorization/resolve_request.ts";
import { askAgainByGet, isFromAnotherOrigin } from "../../oauth/authorization/sending_page.ts";
import { identifyClient } from "../../oauth/clients/find_client.ts";
import { usualPaths } from "../../oauth/paths.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Feature } from "../../oauth/feature.ts";
import { type Params, readForm, readQuery } from "../../oauth/params.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Services } from "../../oauth/services.ts";

const refusal = refusals({
  query_beside_form: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "A POST must send its parameters in the form, not in the query",
    expected:
      "a GET with a query, or a POST with a form. A test that posts a user name to a login page calls POST /_postern/next_sign_in (start with --control) before the GET instead",
    change: "Send all parameters in the form, or use GET with a query.",
  },
});

export const refused: RefusalRows = refusal.rows;

const kind = "authorization";

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
    requestKinds: [{ name: kind, path: usualPaths.authorize, findEnd: findRedirectEnd }],
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
  const resolve = () => resolveRequest(params, exchange, services);
  // identify, validate, act, respond
  return await askPerson({ kind, params, resolve }, exchange, services);
}

/** Reads the parameters from the query of a GET or the form of a POST, never from both. */
async function readAuthorizationParams(exchange: Exchange): Promise<Params> {
  const query = readQuery(exchange);
  if (exchange.request.method !== "POST") return query;
  if (query.pairs.length > 0) {
    throw refusal("query_beside_form");
  }
  const form = await readForm(exchange);
  requireShortForm(exchange);
  return form;
}

/** Verifies the redirect URI of the request, and sends all later answers there. */
async function findRedirectEnd(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<RequestEnd> {
  const { params } = pending;
  const client = await identifyClient(params, exchange, services);
  const target = requireRedirectTarget(params, client, services);
  if (params.get("code_challenge") === undefined) exchange.note({ pkce: "none" });
  return {
    client,
    redirectUri: target.redirectUri,
    async validate() {
      const request = await requireAuthorizationRequest(pending, target, exchange, services);
      if (request.challenge !== undefined) exchange.note({ pkce: "S256" });
      const responseType = services.slots.responseTypes.get(request.responseType)!;
      return {
        request,
        issue(approval) {
          const { grant, expiresAt, params } = responseType.issue(approval, request, services, client);
          return { grant, expiresAt, answer: () => answerClient(target, params, exchange, services) };
        },
      };
    },
    accepts: (error) => mayReceiveError(error, target),
    refuse: (error) => refuseToClient(target, error, exchange, services),
  };
}
