/**
 * Refuses a client that did not authenticate (OAuth 2.1 §3.2.4). The journal learns what was compared and what to
 * configure. The response says neither, because that would help to guess ids and secrets.
 */

import { describeForeignClock } from "../clock_skew.ts";
import { fail, type RefusalDetails } from "../error.ts";
import type { Params } from "../params.ts";
import type { Services } from "../services.ts";
import { type Client, methodOf, publicClientMethod, sendsSecret } from "./client.ts";
import { clientRemedy, memberRemedy, type Remedy, unknownClientRemedy } from "./client_remedy.ts";
import { type Attempt, findSecretMistake } from "./compare_secrets.ts";
import { describeRegistration } from "./describe_registration.ts";
import { clientChallenge, methodName, type Presented } from "./read_credentials.ts";
import { describeKnownClients, unfitForClient } from "./unknown_client.ts";

export type ClientAuthReason =
  | "client_unknown"
  | "secret_missing"
  | "secret_wrong"
  | "secret_expired"
  | "method_not_registered"
  | "public_client_sent_secret";

export interface FailedAuthentication {
  readonly form: Params;
  readonly presented: Presented;
  readonly attempt: Attempt;
  /** Present if the server does not know the client, and has a journal. */
  readonly unknown: UnknownClient | undefined;
}

export interface UnknownClient {
  /** The client_id as the journal may show it. It differs from the client_id if that may be a secret. */
  readonly notedId: string;
  /** The secret of the request is the id of a client. */
  readonly isSwapped: boolean;
}

// The same sentence for an unknown client and for a wrong secret, so that the answer does not tell which ids exist.
const failed = "Client authentication failed";

export function refuseUnknown(failure: FailedAuthentication, services: Services): never {
  const { form, presented, attempt, unknown } = failure;
  const reason = "client_unknown";
  if (unknown === undefined) refuse(failed, failure, services, { reason });
  const { clientId } = attempt.credentials;
  const { notedId, isSwapped } = unknown;
  const isSecret = notedId !== clientId;
  const requirement = unfitForClient(clientId, form.get("redirect_uri"), services, { tellsPeople: true });
  const note = isSwapped
    ? ": the client_id and the secret are swapped"
    : isSecret
    ? ": a secret or a token is in its place"
    : "";
  refuse(failed, failure, services, {
    reason,
    expected: requirement ?? describeKnownClients(clientId, services, { suggests: !isSecret }),
    received: `client_id ${notedId}, with ${describeCredentials(presented)}${note}`,
    ...(requirement === undefined && !isSecret ? suggestUnknown(failure, services) : {}),
  });
}

/** A public client needs a redirect URI, and only the request for a code or for its redemption has one. */
function suggestUnknown({ form, presented, attempt }: FailedAuthentication, services: Services): Remedy {
  const redirectUri = form.get("redirect_uri");
  const method = methodName(presented);
  return redirectUri === undefined && method === publicClientMethod
    ? {}
    : unknownClientRemedy({ id: attempt.credentials.clientId, redirectUri, method }, services);
}

export function refuseSecret(failure: FailedAuthentication, client: Client, services: Services): never {
  const { presented, attempt } = failure;
  const readings = presented.readings.flatMap(({ reading }) => reading ?? []);
  const compared = readings.length === 0 ? "" : `, compared ${readings.join(" and ")}`;
  const mistake = findSecretMistake(attempt);
  refuse(failed, failure, services, {
    reason: "secret_wrong",
    expected: `the secret of ${describeRegistration(client, services)}`,
    received: `another secret, with ${methodName(presented)}${compared}` +
      (mistake === undefined ? "" : `: ${mistake}`),
    ...clientRemedy(client, {}, services),
  });
}

export function refuseExpiredSecret(
  failure: FailedAuthentication,
  expiredAt: number,
  services: Services,
): never {
  const formatTime = (seconds: number) => new Date(seconds * 1000).toISOString();
  refuse("The secret of this client has expired", failure, services, {
    reason: "secret_expired",
    spec: "RFC 7591 §3.2.1",
    expected: "a new secret: the client updates its registration (RFC 7592 §2.2), or registers again",
    received: `a secret that expired at ${formatTime(expiredAt)}` +
      describeForeignClock(failure.attempt.client?.authentication ?? {}, services),
  });
}

/** The client has a secret and registers that it follows the specification strictly. */
export function refuseDeviation(
  failure: FailedAuthentication,
  details: RefusalDetails,
  services: Services,
): never {
  fail("invalid_client", failed, { ...clientChallenge(failure.presented, services), ...details });
}

export function refusePublicSecret(failure: FailedAuthentication, client: Client, services: Services): never {
  refuse(failed, failure, services, {
    reason: "public_client_sent_secret",
    ...describeMethods(failure, client, services),
  });
}

/** OpenID Connect Core §9: only the registered method counts, even if the secret is right. */
export function refuseMethod(failure: FailedAuthentication, client: Client, services: Services): never {
  const isPublic = methodName(failure.presented) === publicClientMethod;
  const other = findRegistrableMethod(failure, client);
  const alternative = other === undefined ? "" : `, or register token_endpoint_auth_method ${other}`;
  refuse(
    `This client must authenticate with ${client.authentication?.method}${alternative}`,
    failure,
    services,
    {
      reason: isPublic ? "secret_missing" : "method_not_registered",
      ...describeMethods(failure, client, services),
    },
  );
}

/** Returns the method of the request, if a client that registered itself could register it and keep its secret. */
function findRegistrableMethod({ presented }: FailedAuthentication, client: Client): string | undefined {
  const method = methodName(presented);
  const isSameSecret = sendsSecret(method) && sendsSecret(methodOf(client));
  return client.registeredItself && isSameSecret ? method : undefined;
}

/** Describes the registered method, the method of the request, and a configuration that would allow the request. */
function describeMethods(
  failure: FailedAuthentication,
  client: Client,
  services: Services,
): Pick<RefusalDetails, "expected" | "received" | "remedy"> {
  const { form, presented } = failure;
  const method = methodName(presented);
  const credentials = describeCredentials(presented);
  const other = findRegistrableMethod(failure, client);
  const isEmpty = form.pairs.some(([name, value]) => name === "client_secret" && value === "");
  return {
    expected: `${client.authentication!.method}, the method of ${describeRegistration(client, services)}` +
      (other === undefined ? "" : `, or a registration with "token_endpoint_auth_method": "${other}"`),
    received: isEmpty ? `${credentials}: the client_secret is empty` : credentials,
    // A configured client that sends no secret should send it, and not become a public client.
    ...(method === publicClientMethod
      ? clientRemedy(client, { token_endpoint_auth_method: method }, services)
      : memberRemedy(client, { token_endpoint_auth_method: method }, services)),
  };
}

function describeCredentials(presented: Presented): string {
  const method = methodName(presented);
  return method === publicClientMethod ? "no credentials" : method;
}

function refuse(
  description: string,
  { presented }: FailedAuthentication,
  services: Services,
  details: RefusalDetails<ClientAuthReason>,
): never {
  fail<ClientAuthReason>("invalid_client", description, {
    ...clientChallenge(presented, services),
    ...details,
  });
}
