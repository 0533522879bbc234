/** The authorization endpoint (OAuth 2.1 §3.1, §4.1). */

import type { Answer } from "../http/message.ts";
import { approve } from "../oauth/approve.ts";
import { type AuthorizationRequest, readAuthorizationParams } from "../oauth/authorization_request.ts";
import type { Client } from "../oauth/client.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Decision, Feature } from "../oauth/feature.ts";
import {
  askAgainByGet,
  deny,
  interact,
  type Interaction,
  isFromAnotherSite,
  proceed,
} from "../oauth/interaction.ts";
import { paths } from "../oauth/paths.ts";
import { createPendingRequest } from "../oauth/pending_request.ts";
import type { Person } from "../oauth/people.ts";
import type { Services } from "../oauth/services.ts";
import { findAccounts, type SignedIn, withBrowser } from "../oauth/session.ts";
import { subjectFor } from "../oauth/subject.ts";

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

async function startRequest(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  if (exchange.request.method === "POST" && isFromAnotherSite(exchange)) {
    return await askAgainByGet(exchange, paths.authorize, services);
  }
  const params = await readAuthorizationParams(exchange);
  // identify, validate
  const pending = createPendingRequest(params, services);
  return await interact(pending, exchange, services, async (interaction) => {
    const decision = await decide(interaction, services);
    // act, respond
    if (decision === undefined) {
      return await proceed(interaction, await findAccounts(exchange, services), services);
    }
    if (decision.denied) deny();
    return withBrowser(await approve(interaction, decision.account, services), decision);
  });
}

export type AuthorizeReason = "nobody_to_sign_in";

async function decide(interaction: Interaction, services: Services): Promise<Decision | undefined> {
  const decision = await services.slots.decides?.(interaction, services);
  if (decision !== undefined) return decision;
  const account = await findAutomaticPerson(interaction.request, services);
  return account && { account };
}

/** Where sign-in is automatic, the client's hints pick among the people, and nobody is asked anything. */
async function findAutomaticPerson(
  { client, loginHint, requiredSub }: AuthorizationRequest,
  services: Services,
): Promise<SignedIn | undefined> {
  const { settings: { automaticPerson, people }, now } = services;
  if (automaticPerson === undefined) return undefined;
  const usual = people.find(loginHint ?? automaticPerson) ?? people.find(automaticPerson);
  const person = requiredSub === undefined ? usual : await findBySub(requiredSub, client, services);
  if (person === undefined) {
    fail<AuthorizeReason>("login_required", "Nobody here is who the request is about", {
      reason: "nobody_to_sign_in",
      spec: "OpenID Connect Core §3.1.2.2",
    });
  }
  return { person, authTime: Math.floor(now()), amr: [] };
}

async function findBySub(sub: string, client: Client, services: Services): Promise<Person | undefined> {
  for (const person of services.settings.people.all) {
    if (await subjectFor(client, person.subject, services) === sub) return person;
  }
  return undefined;
}
