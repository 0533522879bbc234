/** Asking a person: the authorization request meets whoever sits at the browser, for as many pages as it takes. */

import type { Answer } from "../http/message.ts";
import { formPage, redirect } from "../http/respond.ts";
import { answeringClient, type RedirectTarget, requireRedirectTarget } from "./answer_client.ts";
import { approve, keepDenial, refuseIfAnswered } from "./approve.ts";
import { type AuthorizationRequest, requireAuthorizationRequest } from "./authorization_request.ts";
import { identifyClient, summariseClient } from "./client.ts";
import { claimsOf } from "./consent_record.ts";
import { createContinuation, openContinuation } from "./continuation.ts";
import { fail, isFault } from "./error.ts";
import type { Exchange } from "./exchange.ts";
import { findNextStep, type NextStep, refuseToAsk } from "./next_question.ts";
import type { ConsentProps, FormProps, SignInProps } from "./pages.ts";
import { formatParams, type Params, readForm, requireUnrepeatedForm } from "./params.ts";
import { paths } from "./paths.ts";
import { openPendingRequest, type PendingRequest, sealPendingRequest } from "./pending_request.ts";
import { type Person, summarisePerson } from "./people.ts";
import type { Services } from "./services.ts";
import { findBrowser, openBrowser, withBrowser } from "./browser.ts";
import { findAccounts, type SignedIn } from "./session.ts";

/** A valid request, and where its answer goes. */
export interface Interaction {
  readonly exchange: Exchange;
  readonly pending: PendingRequest;
  readonly target: RedirectTarget;
  readonly request: AuthorizationRequest;
}

export type InteractionReason = "user_denied" | "form_from_another_site";

/** The same steps for a request that just came and for one that comes back in a form. */
export async function interact(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> {
  const client = await identifyClient(pending.params, services);
  exchange.note({ clientId: client.id, flow: pending.grantId });
  const target = requireRedirectTarget(pending.params, client, services);
  if (pending.params.get("code_challenge") === undefined) exchange.note({ pkce: "none" });
  return await answeringClient(target, exchange, services, async () => {
    const refusal = pending.asked ? await refuseIfAnswered(pending, exchange, services) : undefined;
    if (refusal !== undefined) return refusal;
    const request = await requireAuthorizationRequest(pending.params, target, services);
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
  requireSameSite(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  const sealed = form.get("request");
  const pending = await openPendingRequest(sealed, "form", findBrowser(exchange, services), services);
  return { form, pending };
}

/** The sealed form is the protection; what a browser says of itself only speaks earlier (RFC 9700 §4.7). */
export function requireSameSite({ request }: Exchange, { settings }: Services): void {
  const site = request.header("sec-fetch-site");
  const origin = request.header("origin");
  // Our own pages ask for no referrer, and then a browser says `null`; a proxy may know us under the issuer alone.
  const isOurs = (site === undefined || site === "same-origin" || site === "none") &&
    (origin === undefined ||
      ["null", request.address.origin, new URL(settings.issuer).origin].includes(origin));
  if (isOurs) return;
  fail<InteractionReason>("invalid_request", "This form was sent by another site", {
    reason: "form_from_another_site",
    status: 403,
    spec: "RFC 9700 §4.7",
    received: [site && `Sec-Fetch-Site: ${site}`, origin && `Origin: ${origin}`].filter(Boolean).join(", "),
  });
}

/** A form that a client's page sent: the browser leaves its cookies at home. */
export function isFromAnotherSite({ request }: Exchange): boolean {
  return /^(cross-site|same-site)$/.test(request.header("sec-fetch-site") ?? "");
}

/** The same request as a GET, which brings the cookies along (OpenID Connect Core §3.1.2.1). */
export async function askAgainByGet(
  exchange: Exchange,
  path: string,
  { settings }: Services,
): Promise<Answer> {
  const form = await readForm(exchange);
  return redirect(`${settings.baseUrl}${path}?${formatParams(form.pairs)}`);
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
export async function goOn(
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
  const address = await findAddress(interaction, services);
  return address === undefined ? await askAgain(interaction, accounts, services) : redirect(address);
}

async function findAddress(
  { exchange, pending }: Interaction,
  services: Services,
): Promise<string | undefined> {
  return await createContinuation(pending, openBrowser(exchange, services), services);
}

/** The next page is the sign-in page, whoever is signed in. */
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

export async function showSignIn(
  interaction: Interaction,
  services: Services,
  attempt?: Pick<SignInProps, "problem" | "username">,
): Promise<Answer> {
  const { settings, pages } = services;
  const username = attempt?.username ?? interaction.request.loginHint;
  const address = attempt && await findAddress(interaction, services);
  return await showForm(interaction, interaction.pending, services, async (form) =>
    formPage(
      await pages.signIn({
        ...form,
        action: settings.basePath + paths.signIn,
        people: settings.people.all.map(summarisePerson),
        ...(username === undefined ? {} : { username }),
        ...(attempt?.problem === undefined ? {} : { problem: attempt.problem }),
        ...(address === undefined ? {} : { address }),
      }),
      { status: attempt === undefined ? 200 : 400 },
    ));
}

async function showAccounts(
  interaction: Interaction,
  accounts: readonly SignedIn[],
  services: Services,
): Promise<Answer> {
  const { settings, pages } = services;
  return await showForm(
    interaction,
    interaction.pending,
    services,
    async (form) =>
      formPage(
        await pages.accounts({
          ...form,
          action: settings.basePath + paths.account,
          people: accounts.map(({ person }) => summarisePerson(person)),
        }),
      ),
  );
}

export async function showConsent(
  interaction: Interaction,
  person: Person,
  services: Services,
  more: Pick<ConsentProps, "fromAnotherSite"> = {},
): Promise<Answer> {
  const { settings, pages } = services;
  const { scope, resource } = interaction.request;
  const pending = { ...interaction.pending, subject: person.subject };
  return await showForm(interaction, pending, services, async (form) =>
    formPage(
      await pages.consent({
        ...form,
        action: settings.basePath + paths.consent,
        person: summarisePerson(person),
        canChangePerson: true,
        scopes: scope.map((name) => {
          const words = settings.scopes.get(name);
          return words === undefined ? { name } : { name, words };
        }),
        resources: resource,
        claims: claimsOf(interaction.request),
        ...more,
      }),
    ));
}

async function showForm(
  { exchange, target }: Interaction,
  pending: PendingRequest,
  services: Services,
  show: (form: Omit<FormProps, "action">) => Promise<Answer>,
): Promise<Answer> {
  const browser = openBrowser(exchange, services);
  const answer = await show({
    request: await sealPendingRequest(pending, "form", browser, services),
    client: summariseClient(target.client),
    redirectUri: target.redirectUri,
  });
  return withBrowser(answer, browser);
}
