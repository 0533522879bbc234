/** Authenticates the client of a request. Only its registered method is accepted (OAuth 2.1 §2.4). */

import { isCrossSite } from "../../../../ground/http/request_origin.ts";
import { timeFor } from "../../options/clock_skew.ts";
import { provesClientSecret } from "../../secrets/credential.ts";
import { OAuthError, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { ClientAuthMethod, Credentials, Services } from "../../contracts/feature.ts";
import type { Params } from "../../contracts/params.ts";
import { countAttempt, requireUnthrottled } from "../../secrets/throttle.ts";
import { hidden } from "../../secrets/redaction.ts";
import { acceptFirstMethod } from "./accept_first_method.ts";
import type { AuthenticatedClient } from "../../contracts/authenticated_client.ts";
import { findClient, findNamedClient, recordClientUse } from "../records/find_client.ts";
import { type Client, publicClientMethod, sendsSecret } from "../../contracts/client.ts";
import {
  type Attempt,
  clientChallenge,
  methodName,
  type Presented,
  readCredentials,
  requirePublicAccepted,
} from "./read_credentials.ts";
import {
  type FailedAuthentication,
  refuseExpiredSecret,
  refuseMethod,
  refusePublicSecret,
  refuseSecret,
  refuseUnknown,
  type UnknownClient,
} from "./refuse_client.ts";
import { noteUnknownClient } from "../records/unknown_client.ts";
import { findForeignOrigin } from "../reach/foreign_origin.ts";

export { readCredentials } from "./read_credentials.ts";

const refusal = refusals({
  demo_credentials_from_foreign_origin: {
    error: "unauthorized_client",
    status: 403,
    sentence: "A foreign web page may not use the demo credentials",
    expected:
      "a request without Origin, or from a page of this host or of this machine; for any other page, configure its own client",
    change: "Configure a client of its own for the page, with its redirect URI.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function authenticateClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<AuthenticatedClient> {
  // read
  const presented = readCredentials(exchange, form, services);
  // try
  const attempts = await tryReadings(presented.readings, exchange, services);
  const attempt = chooseAttempt(attempts);
  const { client, credentials } = attempt;
  const connecting = findConnectionMethod(client, presented, services);
  const method = connecting?.name ?? methodName(presented);
  exchange.note({ clientAuth: method });
  if (client !== undefined) exchange.note({ clientId: credentials.clientId });
  const unknown = client === undefined ? await noteUnknown(credentials, exchange, services) : undefined;
  const failure = { form, presented, attempt, unknown };
  // decide
  if (client !== undefined && method === publicClientMethod) requirePublicAccepted(services);
  if (client !== undefined) requireLocalPage(client, exchange, services);
  if (client !== undefined && client.authentication === undefined) {
    return acceptFirstMethod(client, attempts, presented, exchange, services);
  }
  if (credentials.secret !== undefined) await requireRightSecret(failure, exchange, services);
  if (client === undefined) return refuseUnknown(failure, services);
  const { authentication } = client;
  const isAccepted = authentication !== undefined && (isRegistered(method, authentication.method, services) ||
    method === publicClientMethod && mayOmitSecret(exchange, form, services));
  if (authentication === undefined || !isAccepted) {
    return refuseMethod(failure, client, services);
  }
  const problem = connecting === undefined
    ? credentials.prove && await credentials.prove(client, services)
    : await connecting.proveConnection!(client, exchange, services);
  if (problem !== undefined) throw challenge(problem, presented, services);
  // RFC 7591 §3.2.1.
  const { secretExpiresAt = Infinity } = authentication;
  if (secretExpiresAt <= timeFor(authentication, services)) {
    return refuseExpiredSecret(failure, secretExpiresAt, services);
  }
  return {
    client,
    method,
    isCurrent: () => Promise.resolve(true),
    recordUse: (livesUntil) => recordClientUse(client, { livesUntil }, services),
  } as AuthenticatedClient;
}

function isRegistered(method: string, registered: string, { settings }: Services): boolean {
  return method === registered ||
    sendsSecret(registered) && (settings.secretMethods?.some((each) => each === method) ?? false);
}

/** At some providers a device has no secret, although the client has one. */
function mayOmitSecret({ facts }: Exchange, form: Params, { settings }: Services): boolean {
  const { deviceWithoutSecret } = settings;
  if (deviceWithoutSecret === undefined) return false;
  return facts.endpoint === "device_authorization" ||
    deviceWithoutSecret === "whole" && form.get("device_code") !== undefined;
}

/**
 * Finds the client of every reading and compares its secret, so that the response time does not reveal which reading is
 * right.
 */
async function tryReadings(
  readings: readonly Credentials[],
  exchange: Exchange,
  services: Services,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const credentials of readings) {
    const client = await findNamedClient(credentials, exchange, services);
    const { secret } = credentials;
    const hasRightSecret = secret !== undefined && provesClientSecret(secret, client?.authentication);
    attempts.push({ credentials, client, hasRightSecret });
  }
  return attempts;
}

/**
 * Chooses the attempt that the server answers. An attempt with the right secret comes first, and among those one whose
 * deviation the client allows. If no secret is right, a client with a fixed method comes before a first-use client,
 * which would accept any secret. So each wrong guess counts as a failure.
 */
function chooseAttempt(attempts: readonly Attempt[]): Attempt {
  return attempts.find((each) => each.hasRightSecret && findRefusedDeviation(each) === undefined) ??
    attempts.find(({ hasRightSecret }) => hasRightSecret) ??
    attempts.find(({ client }) => client?.authentication !== undefined) ??
    attempts.find(({ client }) => client !== undefined) ??
    attempts[0]!;
}

function findRefusedDeviation({ credentials, client }: Attempt): OAuthError | undefined {
  return client && credentials.deviation?.findRefusal(client);
}

/** Returns the method of a client that the connection authenticates, if the request has no other credentials. */
function findConnectionMethod(
  client: Client | undefined,
  presented: Presented,
  { slots }: Services,
): ClientAuthMethod | undefined {
  if (client?.authentication === undefined || presented.method !== undefined) return undefined;
  const registered = slots.clientAuth.get(client.authentication.method);
  return registered?.proveConnection && registered;
}

/** Notes an unknown client for the journal, which must not show the id if that may be a secret. */
async function noteUnknown(
  { clientId, secret }: Credentials,
  exchange: Exchange,
  services: Services,
): Promise<UnknownClient | undefined> {
  // Only the journal shows the result, and the check reads the store.
  if (!exchange.hasJournal) return undefined;
  const isSwapped = secret !== undefined && await findClient(secret, services) !== undefined;
  return { notedId: noteUnknownClient(isSwapped ? hidden : clientId, exchange, services), isSwapped };
}

async function requireRightSecret(
  failure: FailedAuthentication,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const { attempt } = failure;
  const { credentials: { clientId, deviation }, client, hasRightSecret } = attempt;
  const account = {
    purpose: "client_secret",
    account: clientId,
    peer: exchange.request.peer,
    fromAnotherSite: isCrossSite(exchange.request),
  };
  const refusedDeviation = findRefusedDeviation(attempt);
  const isRight = hasRightSecret && refusedDeviation === undefined;
  // After too many failures even a right secret is refused, so that the answer confirms no guess.
  if (isRight || await countAttempt(account, services) > 0) await requireUnthrottled(account, services);
  if (isRight) {
    if (deviation !== undefined) exchange.note({ advice: deviation.advice });
    return;
  }
  if (client === undefined) return refuseUnknown(failure, services);
  if (client.authentication?.secretHash === undefined) return refusePublicSecret(failure, client, services);
  if (hasRightSecret && refusedDeviation !== undefined) {
    throw challenge(refusedDeviation, failure.presented, services);
  }
  refuseSecret(failure, client, services);
}

function challenge(
  { error: code, status, message, details }: OAuthError,
  presented: Presented,
  services: Services,
): OAuthError {
  return new OAuthError({ code, status }, message, { ...clientChallenge(presented, services), ...details });
}

/** The demo client's secret is published, so any web page could use it. The server accepts it from local pages only. */
function requireLocalPage(client: Client, exchange: Exchange, services: Services): void {
  if (client.demoSecret === undefined) return;
  const origin = findForeignOrigin(exchange, services);
  if (origin === undefined) return;
  throw refusal("demo_credentials_from_foreign_origin", { received: `Origin: ${origin}` });
}
