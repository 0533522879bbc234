/** Who asks at the endpoints that clients call: one method, the registered one, and every secret checked (OAuth 2.1 §2.4). */

import { sameDigest } from "../../crypto/bytes.ts";
import { fail, OAuthError, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Params } from "../params.ts";
import { countAttempt, requireUnthrottled } from "../people/throttle.ts";
import type { Services } from "../services.ts";
import { hashSecret } from "../tokens/credential.ts";
import type { AuthenticatedClient } from "./authenticated_client.ts";
import { type Client, type ClientAuthentication, clientRemedy, publicClientMethod } from "./client.ts";
import { requireOwnOrigin } from "./demo_credentials.ts";
import { findClient, recordClientUse } from "./find_client.ts";
import { clientChallenge, type Presented, readCredentials } from "./read_credentials.ts";

export type ClientAuthReason =
  | "client_unknown"
  | "secret_missing"
  | "secret_wrong"
  | "secret_not_encoded"
  | "method_not_registered"
  | "public_client_sent_secret";

export async function authenticateClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<AuthenticatedClient> {
  const readings = await compareReadings(readCredentials(exchange, form, services), services);
  const reading = chooseReading(readings);
  const { presented, client } = reading;
  exchange.note({ clientId: presented.clientId, clientAuth: presented.method });
  if (client !== undefined) requireOwnOrigin(client, exchange, services);
  if (isUnsettled(reading)) {
    noteBrokenRule(presented, exchange);
    return settleLater(client!, readings, services);
  }
  if (presented.secret !== undefined) await requireSecret(reading, exchange, services);
  if (client === undefined) {
    fail<ClientAuthReason>("invalid_client", failedAuthentication, {
      reason: "client_unknown",
      ...clientChallenge(presented, services),
      received: presented.clientId,
    });
  }
  requireRegisteredMethod(presented, client, services);
  const problem = await presented.prove?.(client, services);
  if (problem !== undefined) {
    throw new OAuthError({ code: problem.error, status: problem.status }, problem.message, {
      ...clientChallenge(presented, services),
      ...problem.details,
    });
  }
  return {
    client,
    method: presented.method,
    isCurrent: () => Promise.resolve(true),
    recordUse: (livesUntil) => recordClientUse(client, { livesUntil }, services),
  } as AuthenticatedClient;
}

/** One reading of the credentials, the client that it names, and whether its secret is that client's. */
interface Reading {
  readonly presented: Presented;
  readonly client: Client | undefined;
  readonly isRight: boolean;
}

/** Compares all of them: how long it takes tells nothing about which one fits. */
async function compareReadings(
  presented: readonly Presented[],
  services: Services,
): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const each of presented) {
    const client = await findClient(each.clientId, services);
    const isRight = each.secret !== undefined && provesEither(each.secret, client?.authentication);
    readings.push({ presented: each, client, isRight });
  }
  return readings;
}

// Compared where the server holds no secret, so that the refusal takes as long.
const standIn = hashSecret("no secret");

function provesEither(secret: string, held: ClientAuthentication = { method: publicClientMethod }): boolean {
  const shown = hashSecret(secret);
  const proofs = [held.secretHash, held.otherSecretHash].map((hash) =>
    sameDigest(shown, hash ?? standIn) && hash !== undefined
  );
  return proofs.includes(true);
}

/**
 * The first that is right; else the first of a client that the server knows. One that can be wrong comes before a
 * first-use client that takes any secret, so that each guess is counted.
 */
function chooseReading(readings: readonly Reading[]): Reading {
  return readings.find((each) => each.isRight && !breaksInsistedRule(each)) ??
    readings.find(({ isRight }) => isRight) ??
    readings.find(({ client }) => client?.authentication !== undefined) ??
    readings.find(({ client }) => client !== undefined) ??
    readings[0]!;
}

function breaksInsistedRule({ presented, client }: Reading): boolean {
  return presented.breaks !== undefined && client !== undefined && presented.insists?.(client) === true;
}

/** A first-use client that has not redeemed anything yet. A signed assertion needs keys, which it cannot have. */
function isUnsettled({ presented, client }: Reading): boolean {
  return client !== undefined && client.authentication === undefined && presented.prove === undefined;
}

function noteBrokenRule({ breaks }: Presented, exchange: Exchange): void {
  if (breaks !== undefined) exchange.note({ advice: breaks });
}

// One sentence for an unknown client and for a wrong secret: the answer does not tell them apart (B23).
const failedAuthentication = "Client authentication failed";

async function requireSecret(reading: Reading, exchange: Exchange, services: Services): Promise<void> {
  const { presented, client } = reading;
  const account = { purpose: "client_secret", account: presented.clientId, peer: exchange.request.peer };
  // After too many failures the answer is the same for a right secret and for a wrong one.
  const isRight = reading.isRight && !breaksInsistedRule(reading);
  if (isRight || !await countAttempt(account, services)) await requireUnthrottled(account, services);
  if (isRight) return noteBrokenRule(presented, exchange);
  const reason = client === undefined
    ? "client_unknown"
    : client.authentication?.secretHash === undefined
    ? "public_client_sent_secret"
    : reading.isRight
    ? "secret_not_encoded"
    : "secret_wrong";
  fail<ClientAuthReason>("invalid_client", failedAuthentication, {
    reason,
    ...clientChallenge(presented, services),
    ...(reason === "public_client_sent_secret" ? methodRemedy(client!, presented) : {}),
    ...(reason === "secret_not_encoded" ? explainBrokenRule(presented) : {}),
  });
}

function explainBrokenRule({ breaks }: Presented): Pick<RefusalDetails, "spec" | "expected" | "received"> {
  const { spec, expected } = breaks ?? {};
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(expected === undefined ? {} : { expected }),
    received: "the right secret, not encoded",
  };
}

/** OpenID Connect Core §9: only the registered method is good, however right the secret. */
function requireRegisteredMethod(presented: Presented, client: Client, services: Services): void {
  const registered = client.authentication?.method;
  if (presented.method === registered) return;
  if (registered === undefined) refuseKeys(presented, services);
  const reason = presented.method === publicClientMethod ? "secret_missing" : "method_not_registered";
  fail<ClientAuthReason>("invalid_client", `This client must authenticate with ${registered}`, {
    reason,
    ...clientChallenge(presented, services),
    ...methodRemedy(client, presented),
  });
}

/** No key is registered for a first-use client, so no assertion can be its own. */
function refuseKeys(presented: Presented, services: Services): never {
  fail<ClientAuthReason>("invalid_client", `This client cannot authenticate with ${presented.method}`, {
    reason: "method_not_registered",
    ...clientChallenge(presented, services),
    expected: "a secret, or no credentials: a first-use client has no keys",
    received: presented.method,
  });
}

/** What is held, and the configuration that would allow what came instead. */
function methodRemedy(
  client: Client,
  { method }: Presented,
): Pick<RefusalDetails, "expected" | "received" | "remedy"> {
  return {
    expected: client.authentication!.method,
    received: method,
    ...clientRemedy(client, { token_endpoint_auth_method: method }),
  };
}

/** Both readings of its first secret are kept: which of them the client means is not known yet. */
function settleLater(
  client: Client,
  readings: readonly Reading[],
  services: Services,
): AuthenticatedClient {
  const own = readings.filter((reading) => reading.client?.id === client.id);
  const [secretHash, otherSecretHash] = own.flatMap(({ presented: { secret } }) =>
    secret === undefined ? [] : [hashSecret(secret)]
  );
  const { method } = own[0]!.presented;
  const authentication: ClientAuthentication = {
    method,
    ...(secretHash === undefined ? {} : { secretHash }),
    ...(otherSecretHash === undefined ? {} : { otherSecretHash }),
  };
  return {
    client,
    method,
    async isCurrent() {
      return (await findClient(client.id, services))?.authentication === undefined;
    },
    recordUse: (livesUntil) => recordClientUse(client, { authentication, livesUntil }, services),
  } as AuthenticatedClient;
}
