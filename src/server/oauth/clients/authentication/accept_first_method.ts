/** Lets a first-use client authenticate by any method until its first redemption, which registers the method. */

import type { Exchange } from "../../contracts/exchange.ts";
import type { Credentials, Services } from "../../contracts/feature.ts";
import { hashSecret } from "../../secrets/credential.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { AuthenticatedClient } from "../../contracts/authenticated_client.ts";
import type { Client, ClientAuthentication } from "../../contracts/client.ts";
import { memberRemedy } from "../records/client_remedy.ts";
import { findClient, recordClientUse } from "../records/find_client.ts";
import { type Attempt, clientChallenge, methodName, type Presented } from "./read_credentials.ts";
import { present } from "../../../../ground/values/present.ts";

const refusal = refusals({
  first_method_needs_key: {
    error: "invalid_client",
    spec: "OAuth 2.1 §3.2.4",
    sentence: "This client cannot authenticate with {method}",
    expected: "a secret, or no credentials, because a first-use client has no keys",
    change: "Authenticate with a secret or without credentials, or configure the client with its keys.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * Accepts any secret, and requests without one. The first redemption that passes every check fixes the method and the
 * secret. It does so before the change of its grant is written, and so even if that change is lost.
 */
export function acceptFirstMethod(
  client: Client,
  attempts: readonly Attempt[],
  presented: Presented,
  exchange: Exchange,
  services: Services,
): AuthenticatedClient {
  const method = methodName(presented);
  // Keeps the secret of each reading, because the server cannot know yet which reading the client means.
  const readings = attempts.filter((each) => each.client?.id === client.id).map((each) => each.credentials);
  const { prove, deviation } = readings[0]!;
  if (prove !== undefined) {
    throw refusal("first_method_needs_key", {
      method,
      ...clientChallenge(presented, services),
      received: method,
      ...memberRemedy(client, { token_endpoint_auth_method: method }, services),
    });
  }
  if (deviation !== undefined) exchange.note({ advice: deviation.advice });
  const authentication = {
    ...describeAuthentication(method, readings),
    registeredAt: Math.floor(services.now()),
  };
  return {
    client,
    method,
    isCurrent: async () => (await findClient(client.id, services))?.authentication === undefined,
    recordUse: (livesUntil) => recordClientUse(client, { authentication, livesUntil }, services),
  } as AuthenticatedClient;
}

function describeAuthentication(method: string, readings: readonly Credentials[]): ClientAuthentication {
  const [secretHash, otherSecretHash] = readings.flatMap(({ secret }) =>
    secret === undefined ? [] : [hashSecret(secret)]
  );
  return { method, ...present({ secretHash, otherSecretHash }) };
}
