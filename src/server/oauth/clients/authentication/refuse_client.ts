/** Refuses a client that did not authenticate (OAuth 2.1 §3.2.4). Only the journal learns what was compared. */

import { describeForeignClock } from "../../options/clock_skew.ts";
import { provesClientSecret } from "../../secrets/credential.ts";
import { type RefusalDetails, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Params } from "../../contracts/params.ts";
import type { Services } from "../../contracts/feature.ts";
import { type Client, methodOf, publicClientMethod, sendsSecret } from "../../contracts/client.ts";
import { clientRemedy, memberRemedy, type Remedy, unknownClientRemedy } from "../records/client_remedy.ts";
import { acceptsUnknownClients } from "../records/find_client.ts";
import { otherLibrary } from "../records/losses.ts";
import { describeRegistration } from "../records/describe_registration.ts";
import { type Attempt, clientChallenge, methodName, type Presented } from "./read_credentials.ts";
import { describeKnownClients, unfitForClient } from "../records/unknown_client.ts";

// The same sentence for an unknown client and for a wrong secret, so that the answer does not tell which ids exist.
const failed = {
  error: "invalid_client",
  spec: "OAuth 2.1 §3.2.4",
  sentence: "Client authentication failed",
} as const;

const refusal = refusals(failed, {
  client_unknown: {
    change: "Use a client_id that the server knows, or add this client to the configuration.",
  },
  secret_wrong: {
    expected: "the secret of this client",
    change:
      "Send the secret that is configured for this client, or configure the secret that the client sends.",
  },
  secret_expired: {
    spec: "RFC 7591 §3.2.1",
    sentence: "The secret of this client has expired",
    expected: "a new secret: the client updates its registration (RFC 7592 §2.2), or registers again",
    change: "Let the client register again, and send its new secret.",
  },
  public_client_sent_secret: {
    expected: "no secret, because the client is public",
    change: "Send no secret, or configure the client with a client_secret.",
  },
  secret_missing: {
    sentence: "This client must authenticate with {methods}",
    expected: "credentials for the registered method",
    change: "Authenticate the client by the method for which it is registered.",
  },
  secret_missing_without_pkce: {
    reason: "secret_missing",
    sentence: "This client must authenticate with {methods}",
    expected: "credentials for the registered method",
    change:
      `Send the secret of the client. If it can keep none, ${otherLibrary}: only a client with a secret may do without.`,
  },
  method_not_registered: {
    sentence: "This client must authenticate with {methods}",
    expected: "the registered method",
    change: "Authenticate by the method for which the client is registered, or register the other method.",
  },
});

export const refused: RefusalRows = refusal.rows;

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

export function refuseUnknown(failure: FailedAuthentication, services: Services): never {
  const { form, presented, attempt, unknown } = failure;
  const challenge = clientChallenge(presented, services);
  if (unknown === undefined) throw refusal("client_unknown", challenge);
  const { clientId } = attempt.credentials;
  const { notedId, isSwapped } = unknown;
  const isSecret = notedId !== clientId;
  const requirement = unfitForClient(clientId, form.get("redirect_uri"), services, { tellsPeople: true });
  const note = isSwapped
    ? ": the client_id and the secret are swapped"
    : isSecret
    ? ": a secret or a token is in its place"
    : "";
  throw refusal("client_unknown", {
    ...challenge,
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
  const [method, registered] = [methodName(presented), methodOf(client)];
  const readings = presented.readings.flatMap(({ reading }) => reading ?? []);
  const compared = readings.length === 0 ? "" : `, compared ${readings.join(" and ")}`;
  const mistake = findSecretMistake(attempt);
  throw refusal("secret_wrong", {
    ...clientChallenge(presented, services),
    expected: `the secret of ${describeRegistration(client, services)}${suggestNewName(client, services)}`,
    received: `another secret, with ${method}` +
      (method === registered ? "" : `, not ${registered}`) + compared +
      (mistake === undefined ? "" : `: ${mistake}`),
    ...clientRemedy(client, {}, services),
  });
}

export function refuseExpiredSecret(
  failure: FailedAuthentication,
  expiredAt: number,
  services: Services,
): never {
  throw refusal("secret_expired", {
    ...clientChallenge(failure.presented, services),
    received: `a secret that expired at ${new Date(expiredAt * 1000).toISOString()}` +
      describeForeignClock(failure.attempt.client?.authentication ?? {}, services),
  });
}

export function refusePublicSecret(failure: FailedAuthentication, client: Client, services: Services): never {
  throw refusal("public_client_sent_secret", {
    ...clientChallenge(failure.presented, services),
    ...describeMethods(failure, client, services),
  });
}

/** OpenID Connect Core §9: only the registered method counts, even if the secret is right. */
export function refuseMethod(failure: FailedAuthentication, client: Client, services: Services): never {
  const isPublic = methodName(failure.presented) === publicClientMethod;
  const other = findRegistrableMethod(failure, client);
  const alternative = other === undefined ? "" : `, or register token_endpoint_auth_method ${other}`;
  const missing = client.requirePkce ? "secret_missing" : "secret_missing_without_pkce";
  throw refusal(isPublic ? missing : "method_not_registered", {
    methods: `${client.authentication?.method}${alternative}`,
    ...clientChallenge(failure.presented, services),
    ...describeMethods(failure, client, services),
  });
}

/** Returns the method of the request, if a client that registered itself could register it and keep its secret. */
function findRegistrableMethod({ presented }: FailedAuthentication, client: Client): string | undefined {
  const method = methodName(presented);
  const isSameSecret = sendsSecret(method) && sendsSecret(methodOf(client));
  return client.registeredItself && isSameSecret ? method : undefined;
}

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
      (other === undefined ? "" : `, or a registration with "token_endpoint_auth_method": "${other}"`) +
      suggestNewName(client, services),
    received: isEmpty ? `${credentials}: the client_secret is empty` : credentials,
    // A configured client that sends no secret should send it, and not become a public client.
    ...(method === publicClientMethod
      ? clientRemedy(client, { token_endpoint_auth_method: method }, services)
      : memberRemedy(client, { token_endpoint_auth_method: method }, services)),
  };
}

/** A second application that takes the name of the first one is held to what the first one has done. */
function suggestNewName({ unregistered }: Client, { slots }: Services): string {
  return unregistered && acceptsUnknownClients(slots)
    ? ". Or use another client_id: each new name is a new client"
    : "";
}

function describeCredentials(presented: Presented): string {
  const method = methodName(presented);
  return method === publicClientMethod ? "no credentials" : method;
}

/** Removes what applications add to a secret by mistake, for example when they read it from a file. */
const repairs: readonly { readonly addition: string; readonly repair: (secret: string) => string }[] = [
  { addition: "white space around it", repair: (secret) => secret.trim() },
  { addition: "quotation marks around it", repair: (secret) => secret.replace(/^(["'])([^]*)\1$/, "$2") },
];

/** Describes for the journal what is added to a wrong secret, without any part of the secret itself. */
function findSecretMistake({ credentials: { secret = "" }, client }: Attempt): string | undefined {
  if (secret.trim() === "") return "it is only white space";
  for (const { addition, repair } of repairs) {
    const repaired = repair(secret);
    if (repaired === secret) continue;
    return provesClientSecret(repaired, client?.authentication)
      ? `it is right without the ${addition}`
      : `it has ${addition}`;
  }
  return undefined;
}
