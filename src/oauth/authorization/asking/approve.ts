/**
 * Stores the one answer to a request: a grant or a denial. The id of the answer is fixed when the request starts, and
 * the put is conditional, so a second answer to the same request is refused.
 */

import type { Answer } from "../../../http/message.ts";
import { empty } from "../../../http/respond.ts";
import { StoreUnavailable } from "../../../store/store.ts";
import type { Client } from "../../clients/client.ts";
import { keepClient } from "../../clients/find_client.ts";
import { refusalPage } from "../../refuse.ts";
import type { Exchange } from "../../exchange.ts";
import { withBrowser } from "../../people/browser.ts";
import { rememberClient } from "../../people/change_session.ts";
import type { Person } from "../../people/people.ts";
import { requireEnabled } from "../../people/require_enabled.ts";
import type { Arrival, SignedIn } from "../../people/session.ts";
import { startSession } from "../../people/start_session.ts";
import { type RefusalRows, refusals } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import { type Denial, type Grant, grants } from "../../tokens/grant.ts";
import type { AccessRequest } from "./access_request.ts";
import { rememberConsent } from "./consent_record.ts";
import type { Interaction } from "./interaction.ts";
import { keepAnswerUntil, type PendingRequest } from "./pending_request.ts";
import { startAgain } from "./sealed_request.ts";
import { present } from "../../../present.ts";

const refusal = refusals({
  already_approved: {
    error: "invalid_request",
    status: 409,
    sentence: "This request has already been approved",
    expected: "one answer to one request",
    change: "Start a new login: a request is answered once.",
  },
  already_denied: {
    error: "invalid_request",
    status: 409,
    sentence: "This request has already been denied",
    expected: "one answer to one request",
    change: "Start a new login: a request is answered once.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface ApprovalTerms {
  /**
   * The person saw the consent page and agreed, except to the scopes in `leftOut`. The server may remember this
   * consent.
   */
  readonly consented?: { readonly leftOut: readonly string[] };
}

/** Approves the request for a person who is signed in. */
export async function approve(
  interaction: Interaction,
  signedIn: SignedIn,
  services: Services,
  terms?: ApprovalTerms,
): Promise<Answer> {
  return await approveAs(signedIn.person, interaction, services, async (client) => {
    await rememberClient(signedIn, client.id, services);
    return { signedIn };
  }, terms);
}

/** Signs the person in and approves the request. The new session already names the client. */
export async function signInAndApprove(
  interaction: Interaction,
  { person, automatic }: Arrival,
  services: Services,
): Promise<Answer> {
  return await approveAs(person, interaction, services, async ({ id }) => {
    const terms = { clientId: id, ...(automatic ? { automatic } : {}) };
    return await startSession(person, interaction.exchange, services, terms);
  });
}

async function approveAs(
  person: Person,
  { exchange, pending, request, issue }: Interaction,
  services: Services,
  findSignIn: (client: Client) => Promise<{ readonly signedIn: SignedIn; readonly setCookie?: string }>,
  { consented }: ApprovalTerms = {},
): Promise<Answer> {
  const { store, now, personSecrets } = services;
  const { subject } = person;
  exchange.note({ subject });
  requireEnabled(person);
  // RFC 9110 §9.2.1: HEAD must not change anything.
  if (exchange.request.method === "HEAD") return empty(200);
  const client = await keepClient(request.client, services);
  const { signedIn, ...cookie } = await findSignIn(client);
  const approved = createGrant({ ...request, client }, signedIn, await personSecrets.passwordMark(person));
  const { grant, expiresAt, answer } = issue({ grantId: pending.grantId, grant: approved });
  const version = await store.put(grants, pending.grantId, grant, {
    expiresAt: Math.max(expiresAt, keepAnswerUntil(pending)),
    now: now(),
    if: null,
  });
  if (version === undefined) {
    const status = await findStatus(pending, services);
    return withBrowser(await refuseSecondAnswer(status, pending, exchange, services), cookie);
  }
  if (consented) await rememberIfPossible(subject, request, services, consented);
  return withBrowser(await answer(), cookie);
}

/**
 * Remembers consent after the grant is stored, because another tab may have denied the request. If the store fails now, the
 * client gets its code nevertheless, and the consent that was stored before stays as it was.
 */
async function rememberIfPossible(
  subject: string,
  request: AccessRequest,
  services: Services,
  { leftOut }: NonNullable<ApprovalTerms["consented"]>,
): Promise<void> {
  try {
    await rememberConsent(subject, request, services, leftOut);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

function createGrant(
  { client, scope, resource, carried }: AccessRequest,
  { person, authTime, amr, session }: SignedIn,
  passwordMark: string | undefined,
): Grant {
  return {
    status: "approved",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject: person.subject,
    scope,
    resource,
    authTime,
    amr,
    session,
    ...present({ passwordMark }),
    carried,
  };
}

/** Stores a denial, before the client receives the error. Returns a page if the request already has an answer. */
export async function storeDenial(
  pending: PendingRequest,
  clientId: string,
  exchange: Exchange,
  services: Services,
): Promise<Answer | undefined> {
  const { store, now } = services;
  const denial: Denial = { status: "denied", clientId };
  const terms = { expiresAt: keepAnswerUntil(pending), now: now(), if: null };
  if (await store.put(grants, pending.grantId, denial, terms) !== undefined) return undefined;
  return await refuseSecondAnswer(await findStatus(pending, services), pending, exchange, services);
}

/**
 * Returns a page if the request already has an answer, otherwise `undefined`. A form can be sent twice: from another
 * tab, after Back, or by a second click.
 */
export async function refuseIfAnswered(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer | undefined> {
  const status = await findStatus(pending, services);
  return status && await refuseSecondAnswer(status, pending, exchange, services);
}

type Status = (Grant | Denial)["status"];

async function findStatus(
  { grantId }: PendingRequest,
  { store, now }: Services,
): Promise<Status | undefined> {
  return (await store.get(grants, grantId, now()))?.value.status;
}

/** Shows a page and does not redirect, because the client has already received the answer. */
async function refuseSecondAnswer(
  status: Status | undefined,
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const isDenied = status === "denied";
  const error = refusal(isDenied ? "already_denied" : "already_approved", startAgain(pending, services));
  return await refusalPage(error, exchange, services);
}
