/** Authenticates the client of a request. Only its registered method is accepted (OAuth 2.1 §2.4). */

import { fail, OAuthError, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Params } from "../params.ts";
import { countAttempt, requireUnthrottled } from "../people/throttle.ts";
import { hidden } from "../redaction.ts";
import type { Services } from "../services.ts";
import { acceptFirstMethod } from "./accept_first_method.ts";
import type { AuthenticatedClient } from "./authenticated_client.ts";
import { type Client, publicClientMethod } from "./client.ts";
import { clientRemedy } from "./client_remedy.ts";
import { type Attempt, chooseAttempt, compareSecrets, findRefusedDeviation } from "./compare_secrets.ts";
import { requireLocalPage } from "./demo_credentials.ts";
import { findClient, recordClientUse } from "./find_client.ts";
import { clientChallenge, methodName, type Presented, readCredentials } from "./read_credentials.ts";
import { noteUnknownClient } from "./unknown_client.ts";

export type ClientAuthReason =
  | "client_unknown"
  | "secret_missing"
  | "secret_wrong"
  | "method_not_registered"
  | "public_client_sent_secret";

export async function authenticateClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<AuthenticatedClient> {
  // read
  const presented = readCredentials(exchange, form, services);
  // compare
  const attempts = await compareSecrets(presented.readings, exchange, services);
  const attempt = chooseAttempt(attempts);
  const { client, credentials } = attempt;
  const method = methodName(presented);
  exchange.note({ clientAuth: method });
  await noteClient(attempt, exchange, services);
  // decide
  if (client !== undefined) requireLocalPage(client, exchange, services);
  if (client !== undefined && client.authentication === undefined) {
    return acceptFirstMethod(client, attempts, presented, exchange, services);
  }
  if (credentials.secret !== undefined) await requireRightSecret(attempt, presented, exchange, services);
  if (client === undefined) refuseUnknown(exchange, presented, services);
  requireRegisteredMethod(client, presented, services);
  await requireProof(client, attempt, presented, services);
  return {
    client,
    method,
    isCurrent: () => Promise.resolve(true),
    recordUse: (livesUntil) => recordClientUse(client, { livesUntil }, services),
  } as AuthenticatedClient;
}

async function noteClient(
  { client, credentials: { clientId, secret } }: Attempt,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  if (client !== undefined) return exchange.note({ clientId });
  // Some requests swap the id and the secret.
  const isSwapped = secret !== undefined && await findClient(secret, services) !== undefined;
  noteUnknownClient(isSwapped ? hidden : clientId, exchange, services);
}

async function requireRightSecret(
  attempt: Attempt,
  presented: Presented,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const { credentials: { clientId, deviation }, client, hasRightSecret } = attempt;
  const account = { purpose: "client_secret", account: clientId, peer: exchange.request.peer };
  const refusedDeviation = findRefusedDeviation(attempt);
  const isRight = hasRightSecret && refusedDeviation === undefined;
  // After too many failures even a right secret is refused, so that the answer confirms no guess.
  if (isRight || !await countAttempt(account, services)) await requireUnthrottled(account, services);
  if (isRight) {
    if (deviation !== undefined) exchange.note({ advice: deviation.advice });
    return;
  }
  if (client === undefined) refuseUnknown(exchange, presented, services);
  if (client.authentication?.secretHash === undefined) {
    const methods = describeMethods(client, presented, services);
    refuse({ reason: "public_client_sent_secret", ...methods }, presented, services);
  }
  if (hasRightSecret && refusedDeviation !== undefined) {
    fail("invalid_client", failed, { ...clientChallenge(presented, services), ...refusedDeviation });
  }
  refuse({ reason: "secret_wrong" }, presented, services);
}

/** OpenID Connect Core §9: only the registered method counts, even if the secret is right. */
function requireRegisteredMethod(client: Client, presented: Presented, services: Services): void {
  const registered = client.authentication?.method;
  const method = methodName(presented);
  if (method === registered) return;
  fail<ClientAuthReason>("invalid_client", `This client must authenticate with ${registered}`, {
    reason: method === publicClientMethod ? "secret_missing" : "method_not_registered",
    ...clientChallenge(presented, services),
    ...describeMethods(client, presented, services),
  });
}

async function requireProof(
  client: Client,
  { credentials }: Attempt,
  presented: Presented,
  services: Services,
): Promise<void> {
  const problem = await credentials.prove?.(client, services);
  if (problem === undefined) return;
  const { error: code, status, message, details } = problem;
  throw new OAuthError({ code, status }, message, { ...clientChallenge(presented, services), ...details });
}

// The same sentence for an unknown client and for a wrong secret, so that the answer does not tell which ids exist.
const failed = "Client authentication failed";

function refuseUnknown({ facts }: Exchange, presented: Presented, services: Services): never {
  refuse({ reason: "client_unknown", received: facts.clientId! }, presented, services);
}

function refuse(
  details: RefusalDetails<ClientAuthReason>,
  presented: Presented,
  services: Services,
): never {
  fail<ClientAuthReason>("invalid_client", failed, { ...clientChallenge(presented, services), ...details });
}

/** Describes the registered method, the method of the request, and a configuration that would allow the request. */
function describeMethods(
  client: Client,
  presented: Presented,
  services: Services,
): Pick<RefusalDetails, "expected" | "received" | "remedy"> {
  const method = methodName(presented);
  return {
    expected: client.authentication!.method,
    received: method,
    ...clientRemedy(client, { token_endpoint_auth_method: method }, services),
  };
}
