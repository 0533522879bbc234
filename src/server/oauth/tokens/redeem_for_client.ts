/** Checks the token request of a client that acts for itself, without a person (OAuth 2.1 §4.2). */

import { type Client, publicClientMethod } from "../contracts/client.ts";
import { describeRegistration } from "../clients/records/describe_registration.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import type { Redemption } from "../contracts/redemption.ts";
import { requireResources } from "./resource.ts";
import { noteAccess, requireScope } from "../clients/metadata/scope.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";

const refusal = refusals({ error: "unauthorized_client", spec: "OAuth 2.1 §4.2" }, {
  public_client_for_itself: {
    sentence: "A client without credentials cannot act for itself",
    expected: "a client that authenticates",
    change:
      "Give the client a secret or a key, because client_credentials needs a client that authenticates.",
  },
  client_not_proven: {
    sentence: "This client has not proven its identity yet",
    expected: "a configured client, or a first-use client that has exchanged a code with its secret",
    change: "Let this client exchange a code with its secret first, or configure it.",
  },
  openid_for_itself: {
    error: "invalid_scope",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "The scope {personal} needs a person, but this client acts for itself",
    change: "Leave openid and offline_access out of the scope, or let a person sign in.",
  },
  scope_of_nobody: {
    error: "invalid_scope",
    spec: "OAuth 2.1 §1.4.1",
    sentence: "The default scope of this client has only scopes that need a person",
    expected: "a scope without openid and offline_access",
    change: "Ask for a scope other than openid and offline_access.",
  },
});

export const refused: RefusalRows = refusal.rows;

const personalScopes: readonly string[] = ["openid", "offline_access"];

export function redeemForClient(
  { client, method, scope: requestedScope, resource: requestedResource }: {
    readonly client: Client;
    readonly method: string;
    readonly scope: string | undefined;
    readonly resource: readonly string[];
  },
  exchange: Exchange,
  services: Services,
): Redemption {
  if (method === publicClientMethod) throw refusal("public_client_for_itself");
  // The first redemption fixes the secret. Without a code, any sender could take over the client.
  if (client.authentication === undefined) {
    throw refusal("client_not_proven", { received: describeRegistration(client, services) });
  }
  const scope = requireScope(requestedScope, client, services).filter((name) =>
    requestedScope !== undefined || !personalScopes.includes(name)
  );
  const personal = scope.find((name) => personalScopes.includes(name));
  if (personal !== undefined) throw refusal("openid_for_itself", { personal, received: personal });
  if (scope.length === 0) throw refusal("scope_of_nobody");
  const resource = requireResources(requestedResource, services.settings);
  noteAccess({ scope, resource }, exchange, services);
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
    scope,
    resource,
  };
}
