/**
 * All steps of a request that a person answers, in order, and the function below that takes them. A request arrives in
 * four ways: new, by the user code of a device (`askOnPages`), by the address of a page, or in a form. The server answers
 * only a new one without a page. A test may decide one with a user code, too. `kind` is an authorization request or a
 * device login (`RequestKind`).
 *
 * | function          | step                     | takes           | gives           | new | code | address | form |
 * | ----------------- | ------------------------ | --------------- | --------------- | --- | ---- | ------- | ---- |
 * | answerNewRequest  | resolveRequest           | parameters      | ResolvedRequest |  x  |      |         |      |
 * |                   | createPendingRequest     | ResolvedRequest | PendingRequest  |  x  |      |         |      |
 * |                   | requireForegroundRequest | parameters      |                 |  x  |      |         |      |
 * | askOnPages        | createPendingRequest     | ResolvedRequest | PendingRequest  |     |  x   |         |      |
 * | showAddressedPage | openAddress              | `continue`      | PendingRequest  |     |      |    x    |      |
 * | readSentForm      | requireOwnPage           | headers         |                 |     |      |         |  x   |
 * |                   | openPendingRequest       | field `request` | PendingRequest  |     |      |         |  x   |
 * | answerPending     | kind.findDestination     | PendingRequest  | Destination     |  x  |  x   |    x    |  x   |
 * |                   | findAnsweredRefusal      | PendingRequest  | the page        |     |  x   |    x    |  x   |
 * |                   | kind.validate            | Destination     | AccessRequest   |  x  |  x   |    x    |  x   |
 * |                   | sendRefusal              | OAuthError      | the answer      |  x  |  x   |    x    |  x   |
 * | answerValid       | findDecidedStep          | Interaction     | NextStep        |  x  |  x   |         |      |
 * |                   | findFeatureStep          | Interaction     | FeatureStep     |  x  |      |         |      |
 * |                   | findAutomaticStep        | Interaction     | NextStep        |  x  |      |         |      |
 * |                   | goToPage                 | NextStep        | the page        |     |  x   |         |      |
 * |                   | showPage                 | NextStep        | the page        |     |      |    x    |      |
 * |                   | deny                     | `decision=deny` |                 |     |      |         |  x   |
 * |                   | readReply                | form            | Reply           |     |      |         |  x   |
 * | findStep, goOn    | findNextStep             | accounts        | NextStep        |  x  |  x   |    x    |  x   |
 * | take              | approve                  | NextStep        | the answer      |  x  |  x   |         |  x   |
 * |                   | refuseToAsk              | prompt=none     |                 |  x  |      |         |      |
 * |                   | goToPage                 | NextStep        | the page        |     |      |         |  x   |
 * |                   | showPage                 | NextStep        | the page        |  x  |      |         |      |
 * | follow            | showPage                 | FeatureStep     | the page        |     |      |         |  x   |
 * |                   | requireNamedPerson       | Person          |                 |     |      |         |  x   |
 * |                   | startSession             | Person          | SignedIn        |     |      |         |  x   |
 * | takeConsent       | findAutomaticPerson      | PendingRequest  | Person          |     |      |         |  x   |
 * |                   | findFeatureStep          | SignedIn        | FeatureStep     |     |      |         |  x   |
 * |                   | showPage                 | no scope        | the page        |     |      |         |  x   |
 * |                   | narrowRequest            | Chosen          | AccessRequest   |     |      |         |  x   |
 * |                   | approve                  | PersonStep      | the answer      |     |      |         |  x   |
 *
 * `pipeline/answer_request.ts` shows the errors up to `kind.findDestination` on a page. `sendRefusal` has the later ones:
 * they go to the client if `kind.accepts` agrees, and otherwise to a page. An authorization request of a client that no
 * person has approved sends it only a denial, and the errors of prompt=none on loopback. A device login accepts only a
 * denial. A page also shows the refusal of a second answer, and a refusal after the grant is stored.
 *
 * `follow` does what the reply of a form says: it shows a page again, signs in, goes on with an account, or takes the
 * consent. `approve` keeps the client, remembers it at the account or starts the session, calls
 * `kind.issue`, stores the grant, remembers the consent, and calls `kind.respond`.
 *
 * A pushed request comes before all this: `par/pushed_request.ts` identifies the client, then calls `resolveRequest`,
 * `requireRedirectTarget` and `requireAuthorizationRequest`, stores the parameters, and answers errors itself.
 */

import { type Answer, withCookie } from "../../../ground/http/message.ts";
import { asOAuthError } from "../requests/refuse.ts";
import { noteAccess } from "../clients/metadata/scope.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../contracts/params.ts";
import { findAccounts } from "../people/find_session.ts";
import type { SignedIn } from "../contracts/session.ts";
import { startSession } from "../people/start_session.ts";
import type { Endpoint, Services } from "../contracts/feature.ts";
import {
  findAutomaticPerson,
  findAutomaticStep,
  findDecidedStep,
  requireForegroundRequest,
} from "./asking/automatic_sign_in.ts";
import type {
  Chosen,
  Interaction,
  PendingRequest,
  Reply,
  ResolvedRequest,
  SentForm,
} from "../contracts/authorization_request.ts";
import { approve, deny, findAnsweredRefusal, sendRefusal } from "./asking/end_request.ts";
import { narrowRequest } from "./asking/narrow_request.ts";
import { findNextStep, type NextStep, pageOf, refuseToAsk, requireNamedPerson } from "./asking/next_step.ts";
import { createPendingRequest, findFeatureStep, kindOf, readAddress } from "./asking/pending_request.ts";
import { goToPage, showPage } from "./asking/question_pages.ts";
import { openAddress, openPendingRequest } from "./asking/encrypted_request.ts";
import { resolveRequest } from "./resolve_request.ts";
import { requireOwnPage } from "./sending_page.ts";

/**
 * Answers a request at the path of its kind. A new one is answered without a page if possible, and otherwise by its first
 * page. Parameters that are an address continue an earlier request.
 */
export async function answerNewRequest(
  kind: string,
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const shown = await showAddressedPage(params, exchange, services);
  if (shown !== undefined) return shown;
  const resolved = await resolveRequest(params, exchange, services);
  const pending = createPendingRequest(kind, resolved, services);
  requireForegroundRequest(exchange, pending.params, services);
  return await answerPending(pending, { by: "request" }, exchange, services);
}

/**
 * Leads to the first page of a new request that only a person may answer, so automatic sign-in does not count. A test that
 * names this request may decide it. A decision for the next request, whichever that is, waits for another request.
 */
export async function askOnPages(
  kind: string,
  resolved: ResolvedRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const pending = { ...createPendingRequest(kind, resolved, services), asked: true };
  return await answerPending(pending, { by: "user code" }, exchange, services);
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
  return await answerPending(pending, { by: "address" }, exchange, services);
}

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

/** Finds out what the person says with a form. Called if the request is still valid and not denied. */
type ReadReply = (form: Params, interaction: Interaction, services: Services) => Reply | Promise<Reply>;

export async function answerForm(
  { form, pending }: SentForm,
  readReply: ReadReply,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  return await answerPending(pending, { by: "form", form, readReply }, exchange, services);
}

/** Returns the endpoint of a page whose form has each field once. */
export function createFormEndpoint<Name extends string>(
  name: Name,
  path: string,
  readReply: ReadReply,
): Endpoint<Name> {
  return {
    method: "POST",
    name,
    path,
    refusal: "page",
    handle: async (exchange, services) =>
      await answerForm(await readSentForm(exchange, services), readReply, exchange, services),
  };
}

type Arrival =
  | { readonly by: "request" | "user code" | "address" }
  | { readonly by: "form"; readonly form: Params; readonly readReply: ReadReply };

async function answerPending(
  pending: PendingRequest,
  arrival: Arrival,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { grantId, arrivedBy, asked } = pending;
  exchange.preferLanguages(pending.params.get("ui_locales"));
  exchange.note({ flow: grantId });
  if (arrivedBy.length > 0) exchange.note({ arrivedBy });
  const kind = kindOf(pending, services);
  const destination = await kind.findDestination(pending, exchange, services);
  // From here on, errors can be sent to the client.
  try {
    const secondAnswer = asked
      ? await findAnsweredRefusal(pending, destination, exchange, services)
      : undefined;
    if (secondAnswer !== undefined) return secondAnswer;
    const request = await kind.validate(pending, destination, exchange, services);
    if (asked) exchange.note({ scope: request.scope, resource: request.resource });
    else noteAccess(request, exchange, services);
    return await answerValid(arrival, { exchange, pending, destination, request }, services);
  } catch (thrown) {
    return await sendRefusal(asOAuthError(thrown, exchange.id), destination, pending, exchange, services);
  }
}

async function answerValid(arrival: Arrival, interaction: Interaction, services: Services): Promise<Answer> {
  switch (arrival.by) {
    case "request": {
      // A new person, whom a feature asks before the sign-in, is none who could sign in automatically.
      const step = await findDecidedStep(interaction, services) ??
        findFeatureStep(interaction, undefined, services) ??
        await findAutomaticStep(interaction, services) ??
        await findStep(interaction, services);
      return await take(step, interaction, services);
    }
    case "user code": {
      const decided = await findDecidedStep(interaction, services);
      if (decided !== undefined) return await take(decided, interaction, services);
      return await goToPage(pageOf(await findStep(interaction, services)), interaction, services);
    }
    case "address":
      // The person may have consented meanwhile in another tab.
      return await showPage(pageOf(await findStep(interaction, services)), interaction, services);
    case "form": {
      const { form, readReply } = arrival;
      if (form.get("decision") === "deny") deny();
      return await follow(await readReply(form, interaction, services), interaction, services);
    }
  }
}

async function findStep(interaction: Interaction, services: Services): Promise<NextStep> {
  return await findNextStep(interaction, await findAccounts(interaction.exchange, services), services);
}

async function take(step: NextStep, interaction: Interaction, services: Services): Promise<Answer> {
  const { request, pending } = interaction;
  if (step.question === undefined) return await approve(step, interaction, services);
  if (request.prompt?.includes("none")) refuseToAsk(step.question);
  const ask = pending.asked ? goToPage : showPage;
  return await ask(pageOf(step), interaction, services);
}

async function follow(reply: Reply, interaction: Interaction, services: Services): Promise<Answer> {
  const { exchange, pending, request } = interaction;
  if ("asksAgain" in reply) return await showPage(reply.asksAgain, interaction, services);
  if ("changesPerson" in reply) {
    return await take({ question: "sign_in", mustSignIn: true }, interaction, services);
  }
  if ("proves" in reply) {
    return withCookie(await goOn(reply.proves, interaction, services), reply.setCookie);
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

async function goOn(account: SignedIn, interaction: Interaction, services: Services): Promise<Answer> {
  const pending = { ...interaction.pending, subject: account.person.subject };
  const next = { ...interaction, pending };
  return await take(await findNextStep(next, [account], services), next, services);
}

async function takeConsent(
  chosen: Chosen,
  interaction: Interaction,
  services: Services,
): Promise<Answer> {
  const { exchange, pending } = interaction;
  const step = await findStep(interaction, services);
  const account = "account" in step && step.person.subject === pending.subject ? step.account : undefined;
  const person = account?.person ?? findAutomaticPerson(pending, services);
  // The person who saw the form has signed out. Another signed-in person has not been asked yet.
  if (person === undefined) return await take(pageOf(step), interaction, services);
  const asked = findFeatureStep(interaction, account ?? { person, amr: [] }, services);
  if (asked !== undefined) return await showPage(asked, interaction, services);
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
