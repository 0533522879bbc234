/** Answers the forms and the addresses of pages. Loaded with the first one, because most tests show no page. */

import { type Answer, withCookie } from "../../../http/message.ts";
import type { Exchange } from "../../exchange.ts";
import { readForm, requireUnrepeatedForm } from "../../params.ts";
import { findAccounts } from "../../people/find_session.ts";
import type { SignedIn } from "../../people/session.ts";
import { startSession } from "../../people/start_session.ts";
import type { Services } from "../../services.ts";
import { requireOwnPage } from "../sending_page.ts";
import { answerRequest, take } from "./answer_request.ts";
import { deny, findAutomaticPerson, findDecidedStep } from "./automatic_sign_in.ts";
import type { Chosen, Interaction, Reply, ResolvedRequest, SentForm } from "./contract.ts";
import { approve } from "./end_request.ts";
import { narrowRequest } from "./narrow_request.ts";
import { findNextStep, pageOf, requireNamedPerson } from "./next_step.ts";
import { createPendingRequest } from "./pending_request.ts";
import { goToPage, showPage } from "./question_pages.ts";
import { openAddress, openPendingRequest } from "./sealed_request.ts";

/**
 * Leads to the first page of a new request that only a person may answer. Automatic sign-in does not count. A test may
 * decide this one request, but not the next request, which can be any.
 */
export async function askOnPages(
  { kind, resolved }: { readonly kind: string; readonly resolved: ResolvedRequest },
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const pending = { ...createPendingRequest(kind, resolved, services), asked: true };
  return await answerRequest(pending, exchange, services, async (interaction) => {
    const decided = await findDecidedStep(interaction, services);
    if (decided !== undefined) return await take(decided, interaction, services);
    const step = await findNextStep(interaction, await findAccounts(exchange, services), services);
    return await goToPage(pageOf(step), interaction, services);
  });
}

/** Shows the page of an address, also after Back or Reload. Opening an address never answers the request. */
export async function showPageAt(address: string, exchange: Exchange, services: Services): Promise<Answer> {
  const pending = await openAddress(address, exchange, services);
  return await answerRequest(pending, exchange, services, async (interaction) => {
    const step = await findNextStep(interaction, await findAccounts(exchange, services), services);
    // The person may have consented meanwhile in another tab.
    return await showPage(pageOf(step), interaction, services);
  });
}

/** Reads the form of a page, and the request that it carries. Parameters in `repeatable` may be repeated. */
export async function readSentForm(
  exchange: Exchange,
  services: Services,
  repeatable: readonly string[] = [],
): Promise<SentForm> {
  requireOwnPage(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form, repeatable);
  return { form, pending: await openPendingRequest(form.get("request"), "form", exchange, services) };
}

/** Answers a form. `read` finds out what the person says with it, if the request is still valid and not denied. */
export async function answerForm(
  { form, pending }: SentForm,
  exchange: Exchange,
  services: Services,
  read: () => Reply | Promise<Reply>,
): Promise<Answer> {
  return await answerRequest(pending, exchange, services, async (interaction) => {
    if (form.get("decision") === "deny") deny();
    return await follow(await read(), interaction, services);
  });
}

async function follow(reply: Reply, interaction: Interaction, services: Services): Promise<Answer> {
  const { exchange, pending, request } = interaction;
  if ("fails" in reply) {
    return await showPage({ question: "sign_in", failure: reply.fails }, interaction, services);
  }
  if ("changesPerson" in reply) {
    return await take({ question: "sign_in", mustSignIn: true }, interaction, services);
  }
  if ("consents" in reply) return await takeConsent(reply.chosen, interaction, services);
  if ("chooses" in reply) {
    const { signedIn: _earlier, ...rest } = pending;
    return await goOn(reply.chooses, { ...interaction, pending: rest }, services);
  }
  await requireNamedPerson(reply.signsIn, request, services);
  const { signedIn, setCookie } = await startSession(reply.signsIn, exchange, services);
  const { mustSignIn: _done, ...rest } = pending;
  const answered = { ...interaction, pending: { ...rest, signedIn: true } as const };
  return withCookie(await goOn(signedIn, answered, services), setCookie);
}

/** Continues with the account that the person signed in to, or chose. */
async function goOn(account: SignedIn, interaction: Interaction, services: Services): Promise<Answer> {
  const pending = { ...interaction.pending, subject: account.person.subject };
  const next = { ...interaction, pending };
  return await take(await findNextStep(next, [account], services), next, services);
}

/** Approves the request for the person who saw the consent page. */
async function takeConsent(
  chosen: Chosen,
  interaction: Interaction,
  services: Services,
): Promise<Answer> {
  const { exchange, pending } = interaction;
  const step = await findNextStep(interaction, await findAccounts(exchange, services), services);
  const account = "account" in step && step.person.subject === pending.subject ? step.account : undefined;
  const person = account?.person ?? findAutomaticPerson(pending, services);
  // The person who saw the form has signed out. Another signed-in person has not been asked yet.
  if (person === undefined) return await take(pageOf(step), interaction, services);
  const { request, leftOut, failure } = await narrowRequest(interaction.request, chosen, services);
  if (failure !== undefined) {
    return await showPage({ question: "consent", person, failure }, interaction, services);
  }
  exchange.note({ scope: request.scope });
  const approval = account === undefined
    ? { person, automatic: true } as const
    : { person, account, leftOut };
  return await approve(approval, { ...interaction, request }, services);
}
