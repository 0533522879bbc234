/** Creates the redemption for a minted token, with a new grant of a person, or for the client itself. */

import { nonceKey } from "../../../server/oauth/authorization/nonce.ts";
import { carry } from "../../../server/oauth/carried.ts";
import { type Client, methodOf } from "../../../server/oauth/clients/client.ts";
import { noteRefusal } from "../../../server/oauth/refuse.ts";
import { OAuthError } from "../../../server/oauth/refusals.ts";
import type { Exchange } from "../../../server/oauth/exchange.ts";
import type { Services } from "../../../server/oauth/services.ts";
import { createId } from "../../../server/oauth/credential.ts";
import { type Grant, grants } from "../../../server/oauth/tokens/grant.ts";
import { redeemForClient } from "../../../server/oauth/tokens/redeem_for_client.ts";
import { redeemGrant, type Redemption } from "../../../server/oauth/tokens/redemption.ts";
import { requireResources } from "../../../server/oauth/tokens/resource.ts";
import { requireScope } from "../../../server/oauth/clients/scope.ts";
import { refusedBy } from "../journal/refused.ts";
import { requirePerson, toList, usualScope } from "../terms/configured.ts";
import type { AnyMintTerms } from "./mint_terms.ts";
import { present } from "../../../server/values/present.ts";

/** Returns the redemption of a new grant. Throws `Refused` if the server refuses the scope or the resource. */
export function redeemForMint(
  terms: AnyMintTerms,
  client: Client,
  exchange: Exchange,
  services: Services,
): Redemption | Promise<Redemption> {
  if (!terms.withoutPerson) return redeemForPerson(terms, client, exchange, services);
  const request = {
    client,
    method: methodOf(client),
    scope: terms.scope === undefined ? undefined : toList(terms.scope).join(" "),
    resource: toList(terms.resource),
  };
  return explainRefusal(exchange, () => redeemForClient(request, exchange, services));
}

/** Stores a new approved grant, as an authorization request does, and returns its redemption. */
async function redeemForPerson(
  terms: AnyMintTerms,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Redemption> {
  const { settings, store, now, random, people } = services;
  const person = settings.people.find(requirePerson(terms.person, { services }))!;
  const wantedScope = toList(terms.scope ?? client.scope ?? usualScope).join(" ");
  const [scope, resource] = explainRefusal(exchange, () => [
    requireScope(wantedScope, client, services),
    requireResources(toList(terms.resource), settings),
  ]);
  if (terms.kind === "id" && !scope.includes("openid")) {
    throw new TypeError(
      `Cannot mint an ID token without the scope openid: expected it among "${wantedScope}"`,
    );
  }
  const grantId = createId(random);
  const passwordMark = await people.passwordMark(person);
  const grant: Grant = {
    status: "approved",
    clientId: client.id,
    clientEpoch: client.epoch,
    subject: person.subject,
    scope,
    resource,
    authTime: Math.floor(now()),
    amr: person.password === undefined ? [] : ["pwd"],
    ...present({ passwordMark }),
    carried: carry(nonceKey, terms.nonce),
  };
  const expiresAt = Math.floor(now()) + settings.lifetimes.code;
  const version = await store.put(grants, grantId, grant, { expiresAt, now: now() });
  return redeemGrant(grantId, { value: grant, version: version!, expiresAt }, { scope, resource }, services);
}

/** Turns a refusal of the server into an error of the test kit. */
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
