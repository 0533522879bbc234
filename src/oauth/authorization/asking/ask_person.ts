/**
 * The one entry to all that asks a person: a request comes in here, and so does each form of its pages. The request is
 * validated, the next step is found, and a page asks or the request ends. The answer leaves by the `RequestEnd`.
 */

import { type Answer, withCookie } from "../../../http/message.ts";
import { redirect } from "../../../http/respond.ts";
import { present } from "../../../present.ts";
import { asOAuthError } from "../../as_oauth_error.ts";
import type { Exchange } from "../../exchange.ts";
import { lazy } from "../../lazy.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../../params.ts";
import { openBrowser, withBrowser } from "../../people/browser.ts";
import { findAccounts } from "../../people/find_session.ts";
import type { SignedIn } from "../../people/session.ts";
import { startSession } from "../../people/start_session.ts";
import type { Services } from "../../services.ts";
import { requireOwnPage } from "../sending_page.ts";
import {
  deny,
  findAutomaticPerson,
  findAutomaticStep,
  findDecidedStep,
  requireVisibleRequest,
} from "./automatic_sign_in.ts";
import type { Chosen, Interaction, PendingRequest, Reply, ResolvedRequest, SentForm } from "./contract.ts";
import { approve, refuse, refuseIfAnswered } from "./end_request.ts";
import {
  findNextStep,
  pageOf,
  type PageStep,
  refuseToAsk,
  requireNamedPerson,
  type Step,
} from "./next_step.ts";
import {
  createAddress,
  createPendingRequest,
  openAddress,
  openPendingRequest,
  readAddress,
} from "./sealed_request.ts";

// Most tests show no page.
const showPage = lazy(async () => (await import("./question_pages.ts")).showPage);
const narrowRequest = lazy(async () => (await import("./narrow_request.ts")).narrowRequest);

/** A request at the endpoint of its kind. */
export interface ReceivedRequest {
  /** The name of the `RequestKind`. */
  readonly kind: string;
  readonly params: Params;
  /** Returns the request of these parameters, unless they are the address of a page. */
  resolve(): Promise<ResolvedRequest>;
}

/** Answers a new request without a page if possible. Otherwise shows the first page, or the page of an address. */
export async function askPerson(
  { kind, params, resolve }: ReceivedRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const shown = await showAddressedPage(params, exchange, services);
  if (shown !== undefined) return shown;
  const pending = createPendingRequest(kind, await resolve(), services);
  requireVisibleRequest(exchange, pending.params, services);
  return await answerRequest(pending, exchange, services, async (interaction) => {
    const step = await findAutomaticStep(interaction, services) ??
      await findNextStep(interaction, await findAccounts(exchange, services), services);
    return await take(step, interaction, services);
  });
}

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

/**
 * Shows the page of an address, also after Back or Reload. Opening an address never answers the request. Returns
 * `undefined` if the parameters are no address.
 */
export async function showAddressedPage(
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Answer | undefined> {
  const address = readAddress(params, exchange);
  if (address === undefined) return undefined;
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

/** Validates the request and calls `work`. New requests, addresses and forms take the same steps. */
async function answerRequest(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> {
  const { kind, grantId, arrivedBy, asked } = pending;
  exchange.preferLanguages(pending.params.get("ui_locales"));
  exchange.note({ flow: grantId });
  if (arrivedBy.length > 0) exchange.note({ arrivedBy });
  const end = await services.slots.requestKinds.get(kind)!.findEnd(pending, exchange, services);
  // From here on, errors can be sent to the client. Only this function and the router catch errors.
  try {
    const secondAnswer = asked ? await refuseIfAnswered(pending, exchange, services) : undefined;
    if (secondAnswer !== undefined) return secondAnswer;
    const { request, issue } = await end.validate();
    exchange.note({ scope: request.scope, resource: request.resource });
    return await work({ exchange, pending, request, issue });
  } catch (thrown) {
    return await refuse(asOAuthError(thrown, exchange.id), end, pending, exchange, services);
  }
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

/** Takes the next step: approves the request if no question is left, and otherwise asks. */
async function take(step: Step, interaction: Interaction, services: Services): Promise<Answer> {
  const { request, pending } = interaction;
  if (step.question === undefined) return await approve(step, interaction, services);
  if (request.prompt?.includes("none")) refuseToAsk(step.question);
  const page = step as PageStep;
  return pending.asked
    ? await goToPage(page, interaction, services)
    : await showPage(page, interaction, services);
}

/**
 * Asks the next question after a form. Redirects to the address of the page, so that Back and Reload do not send the
 * form again (303, RFC 9110 §15.4.4).
 */
async function goToPage(step: PageStep, interaction: Interaction, services: Services): Promise<Answer> {
  const { exchange, pending } = interaction;
  const mustSignIn = step.question === "sign_in" ? step.mustSignIn : undefined;
  const next = { ...interaction, pending: { ...pending, ...present({ mustSignIn }) } };
  const browser = openBrowser(exchange, services);
  const address = await createAddress(next.pending, browser, services);
  return address === undefined
    ? await showPage(step, next, services)
    : withBrowser(redirect(address), browser);
}
