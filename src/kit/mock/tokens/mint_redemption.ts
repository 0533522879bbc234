/** Creates the redemption for a minted token, with a new grant of a person, or for the client itself. */

import type { Client } from "../../../server/oauth/clients/client.ts";
import { noteRefusal } from "../../../server/oauth/refuse.ts";
import { OAuthError } from "../../../server/oauth/refusals.ts";
import type { Exchange } from "../../../server/oauth/exchange.ts";
import type { Services, TokenIssue } from "../../../server/oauth/feature.ts";
import {
  redeemForItself,
  redeemForPerson,
  requireDirectAccess,
} from "../../../server/oauth/tokens/issue_directly.ts";
import { refusedBy } from "../journal/refused.ts";
import { requirePerson, toList, usualScope } from "../terms/configured.ts";
import type { AnyMintOptions } from "./mint_terms.ts";

/** Stores a new grant if a person approves it. Throws `Refused` if the server refuses the scope or the resource. */
export async function redeemForMint(
  options: AnyMintOptions,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<TokenIssue["redemption"]> {
  const resource = toList(options.resource);
  if (options.withoutPerson) {
    const scope = options.scope === undefined ? undefined : toList(options.scope).join(" ");
    return explainRefusal(exchange, () => redeemForItself({ scope, resource }, client, exchange, services));
  }
  const person = services.settings.people.find(requirePerson(options.person, { services }))!;
  const scope = toList(options.scope ?? client.scope ?? usualScope).join(" ");
  const access = explainRefusal(exchange, () => requireDirectAccess(scope, resource, client, services));
  if (options.kind === "id" && !access.scope.includes("openid")) {
    throw new TypeError(`Cannot mint an ID token without the scope openid: expected it among "${scope}"`);
  }
  return await redeemForPerson({ person, access, nonce: options.nonce }, client, services);
}

function explainRefusal<T>(exchange: Exchange, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    noteRefusal(error, exchange);
    const { refusal } = exchange.facts;
    if (refusal?.reason === "resource_malformed") {
      exchange.note({ refusal: { ...refusal, expected: anyAudience } });
    }
    throw refusedBy("mint", exchange.facts);
  }
}

const anyAudience = 'an absolute URI. For an aud that is no URI, use claims, such as { aud: "orders-api" }';
