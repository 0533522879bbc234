/** Checks the token request of a client that acts for itself, without a person (OAuth 2.1 §4.2). */

import { type Client, publicClientMethod } from "../clients/client.ts";
import { describeRegistration } from "../clients/describe_registration.ts";
import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Redemption } from "./redemption.ts";
import { requireResources } from "./resource.ts";
import { requireScope } from "../clients/scope.ts";

export type ClientCredentialsReason =
  | "public_client_for_itself"
  | "client_not_proven"
  | "openid_for_itself"
  | "scope_of_nobody";

/** Scopes that need a person who signed in. */
const personalScopes: readonly string[] = ["openid", "offline_access"];

export interface ClientTerms {
  readonly client: Client;
  /** The method by which the client authenticated. */
  readonly method: string;
  readonly scope: string | undefined;
  readonly resource: readonly string[];
}

export function redeemForClient(
  { client, method, scope: requestedScope, resource: requestedResource }: ClientTerms,
  exchange: Exchange,
  services: Services,
): Redemption {
  if (method === publicClientMethod) {
    fail<ClientCredentialsReason>(
      "unauthorized_client",
      "A client without credentials cannot act for itself",
      {
        reason: "public_client_for_itself",
        spec: "OAuth 2.1 §4.2",
        expected: "a client that authenticates",
      },
    );
  }
  // The first redemption fixes the secret. Without a code, any sender could take over the client.
  if (client.authentication === undefined) {
    fail<ClientCredentialsReason>("unauthorized_client", "This client has not proven its identity yet", {
      reason: "client_not_proven",
      spec: "OAuth 2.1 §4.2",
      expected: "a configured client, or a first-use client that has exchanged a code with its secret",
      received: describeRegistration(client, services),
    });
  }
  const scope = requireScope(requestedScope, client, services).filter((name) =>
    requestedScope !== undefined || !personalScopes.includes(name)
  );
  const personal = scope.find((name) => personalScopes.includes(name));
  if (personal !== undefined) {
    fail<ClientCredentialsReason>(
      "invalid_scope",
      `The scope ${personal} needs a person, but this client acts for itself`,
      {
        reason: "openid_for_itself",
        spec: "OpenID Connect Core §3.1.2.1",
        received: personal,
      },
    );
  }
  if (scope.length === 0) {
    fail<ClientCredentialsReason>(
      "invalid_scope",
      "The default scope of this client has only scopes that need a person",
      {
        reason: "scope_of_nobody",
        spec: "OAuth 2.1 §1.4.1",
        expected: `a scope without ${personalScopes.join(" and ")}`,
      },
    );
  }
  const resource = requireResources(requestedResource, services.settings);
  exchange.note({ scope, resource });
  return {
    // This grant is not stored: the token is valid while its client exists.
    grant: {
      status: "active",
      clientId: client.id,
      clientEpoch: client.epoch,
      subject: client.id,
      scope,
      resource,
      amr: [],
      carried: {},
    },
    replaces: "unstored",
    keepUntil: 0,
    scope,
    resource,
  };
}
