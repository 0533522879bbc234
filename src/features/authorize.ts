/** The authorization endpoint (OAuth 2.1 §3.1, §4.1). */

import type { Answer } from "../http/message.ts";
import { approve, signInAndApprove } from "../oauth/approve.ts";
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
import { askedOf, refuseToAsk } from "../oauth/next_question.ts";
import { paths } from "../oauth/paths.ts";
import { createPendingRequest } from "../oauth/pending_request.ts";
import type { Person } from "../oauth/people.ts";
import type { Services } from "../oauth/services.ts";
import { findAccounts } from "../oauth/session.ts";
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
    if ("denied" in decision) deny();
    return "account" in decision
      ? await approve(interaction, decision.account, services)
      : await signInAndApprove(interaction, decision.arrival, services);
  });
}

export type AuthorizeReason = "nobody_to_sign_in";

async function decide(interaction: Interaction, services: Services): Promise<Decision | undefined> {
  const decision = await services.slots.decides?.(interaction, services);
  if (decision !== undefined) return decision;
  return await decideAutomatically(interaction, services);
}

/** Where sign-in is automatic: the one who is meant goes on in the session that the browser has, or in a new one. */
async function decideAutomatically(
  { exchange, request, pending }: Interaction,
  services: Services,
): Promise<Decision | undefined> {
  if (services.settings.automaticPerson === undefined) return undefined;
  const person = await requireAutomaticPerson(request, services);
  const account = (await findAccounts(exchange, services)).find((each) => each.person === person);
  if (account !== undefined) {
    const about = { request, pending: { ...pending, subject: person.subject }, account };
    if (!askedOf(about, services).includes("sign_in")) return { account };
  }
  // OpenID Connect Core §3.1.2.1: signing in, even automatically, is what prompt=none forbids.
  if (request.prompt?.includes("none")) refuseToAsk("sign_in");
  return { arrival: { person, automatic: true } };
}

/** The client's hints pick among the people. */
async function requireAutomaticPerson(
  { client, loginHint, requiredSub }: AuthorizationRequest,
  services: Services,
): Promise<Person> {
  const { automaticPerson, people } = services.settings;
  const usual = people.find(loginHint ?? automaticPerson!) ?? people.find(automaticPerson!);
  const person = requiredSub === undefined ? usual : await findBySub(requiredSub, client, services);
  return person ?? fail<AuthorizeReason>("login_required", "No person here is the one the request is about", {
    reason: "nobody_to_sign_in",
    spec: "OpenID Connect Core §3.1.2.2",
  });
}

async function findBySub(sub: string, client: Client, services: Services): Promise<Person | undefined> {
  for (const person of services.settings.people.all) {
    if (await subjectFor(client, person.subject, services) === sub) return person;
  }
  return undefined;
}
