/** The redemption of a client that acts for itself, without a person (OAuth 2.1 §4.2). */

import { type Client, publicClientMethod } from "../clients/client.ts";
import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Redemption } from "./redemption.ts";
import { requireResources } from "./resource.ts";
import { requireScope } from "./scope.ts";

export type ClientCredentialsReason =
  | "public_client_for_itself"
  | "client_not_proven"
  | "openid_for_itself"
  | "scope_of_nobody";

/** They speak of somebody who signed in. */
const personalScopes: readonly string[] = ["openid", "offline_access"];

export interface ClientTerms {
  readonly client: Client;
  /** How it authenticated. */
  readonly method: string;
  readonly scope: string | undefined;
  readonly resource: readonly string[];
}

export function redeemForClient(
  { client, method, scope: asked, resource: wanted }: ClientTerms,
  exchange: Exchange,
  services: Services,
): Redemption {
  if (method === publicClientMethod) {
    fail<ClientCredentialsReason>(
      "unauthorized_client",
      "A client that proves nothing cannot act for itself",
      {
        reason: "public_client_for_itself",
        spec: "OAuth 2.1 §4.2",
        expected: "a client that authenticates",
      },
    );
  }
  // Whoever comes first with any secret would be that client from now on, without its code.
  if (client.authentication === undefined) {
    fail<ClientCredentialsReason>("unauthorized_client", "Who this client is has not been proven yet", {
      reason: "client_not_proven",
      spec: "OAuth 2.1 §4.2",
      expected:
        "a first-use client to redeem a code before it acts for itself, or a client of the configuration",
    });
  }
  const scope = requireScope(asked, client, services).filter((name) =>
    asked !== undefined || !personalScopes.includes(name)
  );
  const personal = scope.find((name) => personalScopes.includes(name));
  if (personal !== undefined) {
    fail<ClientCredentialsReason>("invalid_scope", `Nobody signs in here, so there is no ${personal}`, {
      reason: "openid_for_itself",
      spec: "OpenID Connect Core §3.1.2.1",
      received: personal,
    });
  }
  if (scope.length === 0) {
    fail<ClientCredentialsReason>(
      "invalid_scope",
      "Nothing is left of the usual scope where nobody signs in",
      {
        reason: "scope_of_nobody",
        spec: "OAuth 2.1 §1.4.1",
        expected: `a scope without ${personalScopes.join(" and ")}`,
      },
    );
  }
  const resource = requireResources(wanted, services.settings);
  exchange.note({ scope, resource });
  return {
    // Kept nowhere: the token lives by its client.
    grant: {
      status: "active",
      clientId: client.id,
      clientEpoch: client.epoch,
      subject: client.id,
      scope,
      resource,
      amr: [],
    },
    replaces: "unstored",
    keepUntil: 0,
    scope,
    resource,
  };
}
