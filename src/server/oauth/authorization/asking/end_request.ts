/** Ends a request with one answer: an approval or a refusal. A conditional put refuses a second answer. */

import { type Answer, withCookie } from "../../../../ground/http/message.ts";
import { empty } from "../../../../ground/http/respond.ts";
import { present } from "../../../../ground/values/present.ts";
import { StoreUnavailable, type Version } from "../../../store/store.ts";
import type { Client } from "../../contracts/client.ts";
import { clientUriMember } from "../../clients/metadata/descriptive_members.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import { keepClient } from "../../clients/records/find_client.ts";
import { isFault, OAuthError, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import { rememberClient } from "../../people/change_session.ts";
import { requireEnabled } from "../../contracts/people.ts";
import type { SignedIn } from "../../contracts/session.ts";
import { startSession } from "../../people/start_session.ts";
import { noteWithLibrary, refusalPage } from "../../requests/refuse.ts";
import type { Services } from "../../contracts/feature.ts";
import { type Denial, type Grant, grants } from "../../contracts/grant.ts";
import { rememberConsent } from "./consent.ts";
import type {
  AccessRequest,
  Destination,
  Interaction,
  Issued,
  PendingRequest,
} from "../../contracts/authorization_request.ts";
import type { PersonStep } from "./next_step.ts";
import { keepAnswerUntil, kindOf, startAgain } from "./pending_request.ts";

const refusal = refusals({ error: "invalid_request" }, {
  user_denied: {
    error: "access_denied",
    sentence: "The person said no",
    change: "Approve instead: the person pressed Deny, so the client must handle access_denied.",
  },
  already_approved: {
    status: 409,
    sentence: "This request has already been approved",
    expected: "one answer to one request",
    change: "Start a new login: a request is answered once.",
  },
  already_denied: {
    status: 409,
    sentence: "This request has already been denied",
    expected: "one answer to one request",
    change: "Start a new login: a request is answered once.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Approves the request for a person. If the person has no account at the browser yet, signs the person in. */
export async function approve(
  { person, account, automatic, methods, leftOut }: PersonStep,
  { exchange, pending, destination, request }: Interaction,
  services: Services,
): Promise<Answer> {
  const { subject } = person;
  exchange.note({ subject });
  requireEnabled(person);
  // RFC 9110 §9.2.1: HEAD must not change anything.
  if (exchange.request.method === "HEAD") return empty(200);
  const client = await keepClient(request.client, services);
  const clientId = client.id;
  if (account !== undefined) await rememberClient(account, clientId, services);
  const signIn: { readonly signedIn: SignedIn; readonly setCookie?: string } = account === undefined
    ? await startSession(person, exchange, services, { clientId, ...present({ automatic, methods }) })
    : { signedIn: account };
  const approved = createGrant(request, client, signIn.signedIn, services);
  const kind = kindOf(pending, services);
  const issued = kind.issue(
    { grantId: pending.grantId, grant: approved },
    { destination, request },
    services,
  );
  if (await storeAnswer(issued.grant, issued.expiresAt, pending, services) === undefined) {
    return withCookie(await takenRefusal(pending, destination, exchange, services), signIn.setCookie);
  }
  if (leftOut !== undefined) await rememberIfPossible(subject, { ...request, client }, services, leftOut);
  return withCookie(
    await sendApproval(issued, { exchange, pending, destination }, services),
    signIn.setCookie,
  );
}

/**
 * Shows a refusal of the answer on a page, because the grant is stored by then. Any other error is a fault of the server,
 * which `sendRefusal` answers without a denial.
 */
async function sendApproval(
  issued: Issued,
  { exchange, pending, destination }: Omit<Interaction, "request">,
  services: Services,
): Promise<Answer> {
  try {
    return await kindOf(pending, services).respond(issued, destination, exchange, services);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return await refusalPage(error, exchange, services);
  }
}

/**
 * Called after the grant is stored, because another tab may have denied the request. If the store fails now, the client
 * gets its code nevertheless.
 */
async function rememberIfPossible(
  subject: string,
  request: AccessRequest,
  services: Services,
  leftOut: readonly string[],
): Promise<void> {
  try {
    await rememberConsent(subject, request, services, leftOut);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

function createGrant(
  { scope, resource, carried }: AccessRequest,
  client: Client,
  { person, authTime, amr, session, passwordMark }: SignedIn,
  { settings }: Services,
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
    ...present({ passwordMark, issuer: settings.issuerInRecords }),
    carried,
  };
}

export function deny(): never {
  throw refusal("user_denied");
}

export async function sendRefusal(
  error: OAuthError,
  destination: Destination,
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { client, redirectUri } = destination;
  const kind = kindOf(pending, services);
  if (!kind.accepts(error, destination)) {
    return await refusalPage(error, exchange, services, present({ wouldHaveGoneTo: redirectUri }));
  }
  // No denial is stored for a request without a page, which cannot be answered twice, nor after a fault of the server,
  // so that the person can try again.
  if ((pending.asked || pending.canArriveAgain) && !isFault(error)) {
    const denial = { status: "denied", clientId: client.id } as const;
    if (await storeAnswer(denial, 0, pending, services) === undefined) {
      return await takenRefusal(pending, destination, exchange, services);
    }
  }
  await noteWithLibrary(error, exchange, services);
  return await kind.refuse(error, destination, exchange, services);
}

/** Stores the answer, before the client receives it. Resolves to `undefined` if the request already has an answer. */
async function storeAnswer(
  answer: Grant | Denial,
  expiresAt: number,
  pending: PendingRequest,
  services: Services,
): Promise<Version | undefined> {
  const { store, now, slots } = services;
  const { grantId, canArriveAgain } = pending;
  const terms = { expiresAt: Math.max(expiresAt, keepAnswerUntil(pending)), now: now(), if: null };
  const version = await store.put(grants, grantId, answer, terms);
  if (canArriveAgain) {
    for (const { noteAnswer } of slots.requestSources) noteAnswer?.(grantId, services);
  }
  return version;
}

async function takenRefusal(
  pending: PendingRequest,
  destination: Destination,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  return await secondAnswerRefusal(
    await findStatus(pending, services),
    pending,
    destination,
    exchange,
    services,
  );
}

/** A form can be sent twice: from another tab, after Back, or by a second click. */
export async function findAnsweredRefusal(
  pending: PendingRequest,
  destination: Destination,
  exchange: Exchange,
  services: Services,
): Promise<Answer | undefined> {
  const status = await findStatus(pending, services);
  return status && await secondAnswerRefusal(status, pending, destination, exchange, services);
}

type Status = (Grant | Denial)["status"];

async function findStatus(
  { grantId }: PendingRequest,
  { store, now }: Services,
): Promise<Status | undefined> {
  return (await store.get(grants, grantId, now()))?.value.status;
}

/** Shows a page and does not redirect, because the client has already received the answer. */
async function secondAnswerRefusal(
  status: Status | undefined,
  pending: PendingRequest,
  destination: Destination,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const isDenied = status === "denied";
  const error = refusal(isDenied ? "already_denied" : "already_approved", startAgain(pending, services));
  const applicationUrl = findSite(destination, services);
  return await refusalPage(error, exchange, services, present({ applicationUrl }));
}

/** A pushed or signed request cannot start again here, but the application can send a new one. */
function findSite({ client, redirectUri }: Destination, { settings }: Services): string | undefined {
  const site = memberOf(client, clientUriMember);
  if (site !== undefined || redirectUri === undefined || !/^https?:/i.test(redirectUri)) return site;
  const { origin } = new URL(redirectUri);
  // A demo client is a page of this server.
  return origin === new URL(settings.baseUrl).origin ? undefined : `${origin}/`;
}
