/** From a request to its answer, question by question: each question has a page, and each page an address. */

import type { Answer } from "../../http/message.ts";
import { redirect } from "../../http/respond.ts";
import type { Exchange } from "../exchange.ts";
import { findAccounts } from "../people/find_session.ts";
import type { SignedIn } from "../people/session.ts";
import type { Services } from "../services.ts";
import { approve, signInAndApprove } from "./approve.ts";
import { type AutomaticDecision, decideAutomatically, requireAnsweredSite } from "./automatic_sign_in.ts";
import { openContinuation } from "./continuation.ts";
import { deny, interact } from "./interact.ts";
import type { Interaction } from "./interaction.ts";
import { findNextStep, type NextStep, refuseToAsk } from "./next_question.ts";
import type { PendingRequest } from "./pending_request.ts";
import { createAddress, showAccounts, showConsent, showSignIn } from "./question_pages.ts";

/** A request that just came: answered without a page if possible; otherwise the first page asks. */
export async function beginInteraction(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  requireAnsweredSite(exchange, pending.params, services);
  return await interact(pending, exchange, services, async (interaction) => {
    const decision = await decide(interaction, services);
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

/** Answers the request if nothing is left to ask, and asks otherwise. */
export async function proceed(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const { request, pending } = interaction;
  const step = await findNextStep(request, pending, accounts, services);
  if (step.question === undefined) return await approve(interaction, step.account, services);
  if (request.prompt?.includes("none")) refuseToAsk(step.question);
  return pending.asked
    ? await leadTo(step, interaction, accounts, services)
    : await ask(step, interaction, accounts, services);
}

/**
 * After a form. 303: the page that asks is the answer to a GET, so Back and Reload send no form again (RFC 9110
 * §15.4.4).
 */
export async function leadTo(
  step: NextStep,
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const address = await createAddress(interaction, services);
  return address === undefined ? await ask(step, interaction, accounts, services) : redirect(address);
}

/** The next page is the sign-in page, although a person may be signed in. */
export async function changePerson(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const pending = { ...interaction.pending, changesPerson: true } as const;
  return await leadTo({ question: "sign_in" }, { ...interaction, pending }, accounts, services);
}

/** A page at its own address, opened for the first time or again: it asks, and neither answers nor changes anything. */
export async function continueRequest(
  value: string,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const pending = await openContinuation(value, exchange, services);
  return await interact(pending, exchange, services, async (interaction) => {
    const accounts = await findAccounts(exchange, services);
    const step = await findNextStep(interaction.request, pending, accounts, services);
    return await ask(step, interaction, accounts, services);
  });
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
