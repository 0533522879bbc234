/** The authorization endpoint (OAuth 2.1 §3.1, §4.1). */

import type { Answer } from "../http/message.ts";
import { approve, signInAndApprove } from "../oauth/authorization/approve.ts";
import {
  type AutomaticDecision,
  decideAutomatically,
  requireAnsweredSite,
} from "../oauth/authorization/automatic_sign_in.ts";
import { readContinuation } from "../oauth/authorization/continuation.ts";
import { continueRequest, deny, interact, proceed } from "../oauth/authorization/interact.ts";
import type { Interaction } from "../oauth/authorization/interaction.ts";
import { showConsent } from "../oauth/authorization/question_pages.ts";
import { readAuthorizationParams } from "../oauth/authorization/require_authorization_request.ts";
import { resolveRequest } from "../oauth/authorization/resolve_request.ts";
import { createPendingRequest } from "../oauth/authorization/sealed_request.ts";
import { askAgainByGet, isFromAnotherOrigin } from "../oauth/authorization/sending_page.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { paths } from "../oauth/paths.ts";
import { findAccounts } from "../oauth/people/find_session.ts";
import type { Services } from "../oauth/services.ts";

export function authorize(): Feature {
  const endpoint = {
    path: paths.authorize,
    metadataName: "authorization_endpoint",
    refusal: "page",
    handle: startRequest,
  } as const;
  return {
    name: "authorize",
    spec: "OAuth 2.1 §3.1, §4.1, RFC 9207",
    endpoints: [{ method: "GET", ...endpoint }, { method: "POST", ...endpoint }],
    metadata: { authorization_response_iss_parameter_supported: true },
  };
}

async function startRequest(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  if (exchange.request.method === "POST" && isFromAnotherOrigin(exchange)) {
    return await askAgainByGet(exchange, paths.authorize, services);
  }
  const params = await readAuthorizationParams(exchange);
  const continuation = readContinuation(params, exchange);
  if (continuation !== undefined) return await continueRequest(continuation, exchange, services);
  const resolved = await resolveRequest(params, exchange, services);
  requireAnsweredSite(exchange, resolved.params, services);
  // identify, validate
  const pending = createPendingRequest(resolved, services);
  return await interact(pending, exchange, services, async (interaction) => {
    const decision = await decide(interaction, services);
    // act, respond
    if (decision === undefined) {
      return await proceed(interaction, await findAccounts(exchange, services), services);
    }
    if ("denied" in decision) deny();
    if ("consentOf" in decision) {
      return await showConsent(interaction, decision.consentOf, services, { fromAnotherSite: true });
    }
    return "account" in decision
      ? await approve(interaction, decision.account, services)
      : await signInAndApprove(interaction, decision.arrival, services);
  });
}

async function decide(interaction: Interaction, services: Services): Promise<AutomaticDecision | undefined> {
  return await services.slots.decides?.(interaction, services) ??
    await decideAutomatically(interaction, services);
}
