/** The authorization endpoint (OAuth 2.1 §3.1, §4.1). */

import { approve } from "../oauth/approve.ts";
import { type AuthorizationRequest, readAuthorizationParams } from "../oauth/authorization_request.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { askPerson, interact } from "../oauth/interaction.ts";
import { paths } from "../oauth/paths.ts";
import { createPendingRequest } from "../oauth/pending_request.ts";
import type { Services } from "../oauth/services.ts";
import { findSignedIn, type SignedIn } from "../oauth/session.ts";

export function authorize(): Feature {
  const endpoint = {
    path: paths.authorize,
    name: "authorization_endpoint",
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

async function startRequest(exchange: Exchange, services: Services): Promise<Response> {
  // parse
  const params = await readAuthorizationParams(exchange);
  // identify, validate
  const pending = createPendingRequest(params, services);
  return await interact(pending, exchange, services, async (interaction) => {
    // RFC 9110 §9.2.1: HEAD looks and changes nothing.
    const isLook = exchange.request.method === "HEAD";
    const automatic = isLook ? undefined : findAutomaticPerson(interaction.request, services);
    // act, respond
    if (automatic !== undefined) return await approve(interaction, automatic, services);
    return await askPerson(interaction, await findSignedIn(exchange, services), services);
  });
}

/** Where sign-in is automatic, the client's hint picks among the people, and nobody is asked anything. */
function findAutomaticPerson(
  { loginHint }: AuthorizationRequest,
  { settings: { automaticPerson, people }, now }: Services,
): SignedIn | undefined {
  if (automaticPerson === undefined) return undefined;
  const person = people.find(loginHint ?? automaticPerson) ?? people.find(automaticPerson);
  return person && { person, authTime: Math.floor(now()), amr: [] };
}
