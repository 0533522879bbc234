/** Leads a request to its answer. Each question has a page, and each page has an address. */

import type { Answer } from "../../../http/message.ts";
import { redirect } from "../../../http/respond.ts";
import type { Exchange } from "../../exchange.ts";
import { findAccounts } from "../../people/find_session.ts";
import type { SignedIn } from "../../people/session.ts";
import type { Services } from "../../services.ts";
import { approve, signInAndApprove } from "./approve.ts";
import { type AutomaticDecision, decideAutomatically, requireVisibleRequest } from "./automatic_sign_in.ts";
import { openContinuation } from "./continuation.ts";
import { deny, interact } from "./interact.ts";
import type { Interaction } from "./interaction.ts";
import { findNextStep, type NextStep, refuseToAsk } from "./next_question.ts";
import type { PendingRequest } from "./pending_request.ts";
import { createAddress, showAccounts, showConsent, showSignIn } from "./question_pages.ts";

/** Answers a new request without a page if possible. Otherwise shows the first page. */
export async function beginInteraction(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  requireVisibleRequest(exchange, pending.params, services);
  return await interact(pending, exchange, services, async (interaction) => {
    const decision = await decide(interaction, services);
    if (decision === undefined) {
      return await proceed(interaction, await findAccounts(exchange, services), services);
    }
    if ("denied" in decision) deny();
    if ("consentOf" in decision) {
      const { consentOf, fromAnotherSite } = decision;
      return await showConsent(interaction, consentOf, services, { fromAnotherSite });
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

/** Approves the request if no question is left. Otherwise asks the next question. */
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
    ? await askNext(step, interaction, accounts, services)
    : await ask(step, interaction, accounts, services);
}

/**
 * Asks the next question after a form. Redirects to the address of the page, so that Back and Reload do not send the
 * form again (303, RFC 9110 §15.4.4).
 */
export async function askNext(
  step: NextStep,
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const mustSignIn = step.question === "sign_in" && accounts.length > 0;
  const next = mustSignIn
    ? { ...interaction, pending: { ...interaction.pending, mustSignIn } as const }
    : interaction;
  const address = await createAddress(next, services);
  return address === undefined ? await ask(step, next, accounts, services) : redirect(address);
}

/** Shows the sign-in page, even if a person is signed in. */
export async function changePerson(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const pending = { ...interaction.pending, mustSignIn: true } as const;
  return await askNext({ question: "sign_in" }, { ...interaction, pending }, accounts, services);
}

/** Shows the page of an address, also after Back or Reload. Opening an address never answers the request. */
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
    // The question is undefined if the person has meanwhile consented in another tab. The page still shows the form.
    case "consent":
    case undefined:
      return await showConsent(interaction, step.account.person, services, { consent: step.consent });
  }
}
