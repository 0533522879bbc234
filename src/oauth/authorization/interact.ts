/** Answering an authorization request: validated each time it comes, and asked about until it is decided. */

import type { Answer } from "../../http/message.ts";
import { redirect } from "../../http/respond.ts";
import { identifyClient } from "../clients/find_client.ts";
import { fail, isFault } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../params.ts";
import { findBrowser } from "../people/browser.ts";
import { findAccounts } from "../people/find_session.ts";
import type { SignedIn } from "../people/session.ts";
import type { Services } from "../services.ts";
import { answeringClient } from "./answer_client.ts";
import { approve, keepDenial, refuseIfAnswered } from "./approve.ts";
import { openContinuation } from "./continuation.ts";
import type { Interaction } from "./interaction.ts";
import { findNextStep, type NextStep, refuseToAsk } from "./next_question.ts";
import type { PendingRequest } from "./pending_request.ts";
import { createAddress, showAccounts, showConsent, showSignIn } from "./question_pages.ts";
import { requireAuthorizationRequest } from "./require_authorization_request.ts";
import { requireRedirectTarget } from "./require_redirect_target.ts";
import { openPendingRequest } from "./sealed_request.ts";
import { requireOwnPage } from "./sending_page.ts";

export type InteractionReason = "user_denied";

/** The same steps for a request that just came and for one that comes back in a form. */
export async function interact(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> {
  const client = await identifyClient(pending.params, services);
  exchange.note({ clientId: client.id, flow: pending.grantId });
  if (pending.arrivedBy.length > 0) exchange.note({ arrivedBy: pending.arrivedBy });
  const target = requireRedirectTarget(pending.params, client, services);
  if (pending.params.get("code_challenge") === undefined) exchange.note({ pkce: "none" });
  return await answeringClient(target, exchange, services, async () => {
    const refusal = pending.asked ? await refuseIfAnswered(pending, exchange, services) : undefined;
    if (refusal !== undefined) return refusal;
    const request = await requireAuthorizationRequest(pending, target, services);
    const { scope, resource, challenge } = request;
    exchange.note({ scope, resource, pkce: challenge === undefined ? "none" : "S256" });
    return await work({ exchange, pending, target, request });
  }, async (error) => {
    // A request that no page has shown cannot be answered twice, and after a fault it may be tried again.
    if (!pending.asked || isFault(error)) return undefined;
    return await keepDenial(pending, client.id, exchange, services);
  });
}

/** What a person sent back: the form, and the request that it was about. */
export async function readAnswer(
  exchange: Exchange,
  services: Services,
): Promise<{ readonly form: Params; readonly pending: PendingRequest }> {
  requireOwnPage(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  const sealed = form.get("request");
  const pending = await openPendingRequest(sealed, "form", findBrowser(exchange, services), services);
  return { form, pending };
}

export function deny(): never {
  fail<InteractionReason>("access_denied", "The user said no", { reason: "user_denied" });
}

/** A request that just came: answered when nothing is left to ask, and else the first page asks. */
export async function proceed(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const { request, pending } = interaction;
  const step = await findNextStep(request, pending, accounts, services);
  if (step.question === undefined) return await approve(interaction, step.account, services);
  if (request.prompt?.includes("none")) refuseToAsk(step.question);
  return await ask(step, interaction, accounts, services);
}

/** A form that was answered: the next question is asked at its own address, unless nothing is left to ask. */
export async function proceedAfterForm(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const { request, pending } = interaction;
  const step = await findNextStep(request, pending, accounts, services);
  if (step.question === undefined) return await approve(interaction, step.account, services);
  return await leadToQuestion(interaction, accounts, services);
}

/** 303: the page that asks is the answer to a GET, so Back and Reload send no form again (RFC 9110 §15.4.4). */
export async function leadToQuestion(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const address = await createAddress(interaction, services);
  return address === undefined ? await askAgain(interaction, accounts, services) : redirect(address);
}

/** The next page is the sign-in page, although a person may be signed in. */
export async function changePerson(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const pending = { ...interaction.pending, changesPerson: true } as const;
  return await leadToQuestion({ ...interaction, pending }, accounts, services);
}

/** A page at its own address, opened for the first time or again: it asks, and neither answers nor changes anything. */
export async function continueRequest(
  value: string,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const pending = await openContinuation(value, exchange, services);
  return await interact(
    pending,
    exchange,
    services,
    async (interaction) => await askAgain(interaction, await findAccounts(exchange, services), services),
  );
}

async function askAgain(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const { request, pending } = interaction;
  if (pending.changesPerson) return await showSignIn(interaction, services);
  return await ask(await findNextStep(request, pending, accounts, services), interaction, accounts, services);
}

async function ask(
  step: NextStep,
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  switch (step.question) {
    case "sign_in":
      return await showSignIn(interaction, services);
    case "choose":
      return await showAccounts(interaction, accounts, services);
    // Nothing is left to ask when the person agreed in another tab meanwhile. A page that is opened again still asks.
    case "consent":
    case undefined:
      return await showConsent(interaction, step.account.person, services);
  }
}
