/** Requires that the configuration of the client allows the exchange: from whom, for what, with which actor. */

import type { Client } from "../../oauth/contracts/client.ts";
import { memberRemedy, type Remedy } from "../../oauth/clients/records/client_remedy.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Params } from "../../oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { ExchangeableToken, PresentedForExchange } from "../../oauth/contracts/exchangeable_token.ts";
import { describeConfirmation, describeProof, provesKey } from "../../oauth/tokens/prove_sender.ts";
import { requireResources } from "../../oauth/tokens/resource.ts";
import type { Sender } from "../../oauth/contracts/sender.ts";
import { tokenExchangeMember, type TokenExchangeOptions } from "./exchange_options.ts";
import { isSame } from "../../../ground/values/is_same.ts";

const refusal = refusals({ error: "invalid_request", spec: "RFC 8693 §2.2.2" }, {
  exchange_target_missing: {
    error: "invalid_target",
    spec: "RFC 8693 §2.1",
    sentence: "The request must say what the new token is for",
    expected: "resource or audience, with a value of token_exchange.to",
    change: "Add resource or audience to the request.",
  },
  exchange_target_not_allowed: {
    error: "invalid_target",
    sentence: "This client may not exchange tokens for this resource or audience",
    expected: "a value of token_exchange.to",
    change: "Add the resource or audience to token_exchange.to of this client.",
  },
  exchange_origin_not_allowed: {
    sentence: "This client may not exchange the tokens of {origin}",
    expected: "a token of a client or issuer in token_exchange.from",
    change: "Add the client or issuer of the subject_token to token_exchange.from of this client.",
  },
  exchange_actor_not_allowed: {
    sentence: "This client may not send a token of {origin} as actor_token",
    expected: "a token of a client or issuer in token_exchange.actors",
    change: "Add the client or issuer of the actor_token to token_exchange.actors of this client.",
  },
  exchange_actor_missing: {
    sentence: "This client may exchange tokens only with an actor_token",
    expected: "an actor_token of a client or issuer in token_exchange.actors",
    change: "Add actor_token and actor_token_type, or remove token_exchange.actors from the configuration.",
  },
  exchange_actor_unnamed: {
    spec: "RFC 8693 §4.1",
    sentence: "The actor_token does not say who the actor is",
    expected: "the claim sub",
    change: "Send an actor_token with the claim sub.",
  },
  may_act_differs: {
    spec: "RFC 8693 §4.4",
    sentence: "The may_act of the subject_token names another actor",
    expected: "an actor with all claims of may_act",
    change: "Let the actor that may_act names exchange the token, or send its token as actor_token.",
  },
  exchanged_key_unproven: {
    spec: "RFC 9449 §5",
    sentence: "The request does not prove the key that its {param} is bound to",
    expected: "a proof of the key",
    change:
      "Prove the key of the token, or add an audience of the token to token_exchange.without_proof if the token is for this client.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface Requester {
  readonly client: Client;
  readonly options: TokenExchangeOptions;
  readonly sender: Sender;
}

export function suggestOptions(
  { client, options }: Requester,
  more: TokenExchangeOptions,
  services: Services,
): Remedy {
  return memberRemedy(client, { [tokenExchangeMember.name]: { ...options, ...more } }, services);
}

export function requireTargets(form: Params, requester: Requester, services: Services): readonly string[] {
  const { to = [] } = requester.options;
  const resources = requireResources(form.all("resource"), services.settings);
  const requested = [...new Set([...resources, ...form.all("audience")])];
  const foreign = requested.filter((each) => !to.includes(each));
  if (foreign.length > 0) {
    throw refusal("exchange_target_not_allowed", {
      expected: describeAllowed("to", to),
      received: foreign.join(" "),
      ...suggestOptions(requester, { to: [...to, ...foreign] }, services),
    });
  }
  if (requested.length > 0) return requested;
  if (to.length === 1) return to;
  throw refusal("exchange_target_missing", {
    expected: `resource or audience: ${describeAllowed("to", to)}`,
  });
}

function describeAllowed(name: keyof TokenExchangeOptions, allowed: readonly string[]): string {
  return allowed.length === 0 ? `token_exchange.${name}, which the client lacks` : allowed.join(" or ");
}

export function requireOrigin({ origin }: ExchangeableToken, requester: Requester, services: Services): void {
  const { from = [] } = requester.options;
  if (from.includes(origin)) return;
  throw refusal("exchange_origin_not_allowed", {
    origin,
    expected: describeAllowed("from", from),
    received: origin,
    ...suggestOptions(requester, { from: [...from, origin] }, services),
  });
}

export function requireActor(
  subject: ExchangeableToken,
  actor: ExchangeableToken | undefined,
  { isRequired }: { readonly isRequired: boolean },
  requester: Requester,
  services: Services,
): void {
  const { actors = [] } = requester.options;
  if (actor === undefined) {
    if (isRequired && actors.length > 0) {
      throw refusal("exchange_actor_missing", { expected: `an actor_token of ${actors.join(" or ")}` });
    }
  } else if (!actors.includes(actor.origin)) {
    throw refusal("exchange_actor_not_allowed", {
      origin: actor.origin,
      expected: describeAllowed("actors", actors),
      received: actor.origin,
      ...suggestOptions(requester, { actors: [...actors, actor.origin] }, services),
    });
  } else if (typeof actor.claims["sub"] !== "string") {
    throw refusal("exchange_actor_unnamed");
  }
  const { id } = requester.client;
  const { issuer } = services.settings;
  requireMayAct(subject, actor?.claims ?? { iss: issuer, sub: id, client_id: id }, issuer);
}

/** Without an actor_token, the client itself is the party that acts. */
function requireMayAct(
  { claims: { iss, may_act: named } }: ExchangeableToken,
  actor: Claims,
  issuer: string,
): void {
  if (named === undefined) return;
  // a name such as "constructor" is no claim of the actor
  const claims = new Map(Object.entries(actor));
  const wanted = typeof named === "object" && named !== null ? Object.entries(named) : [];
  const names = wanted.map(([name]) => name);
  // RFC 8693 §4.4: only iss and sub together name an actor. A may_act without iss names none of a third issuer.
  const isOfIssuer = names.includes("iss") || [iss, issuer].includes(claims.get("iss"));
  const isNamed = wanted.every(([name, value]) => isSame(claims.get(name), value));
  if (wanted.length > 0 && isOfIssuer && isNamed) return;
  const found = Object.fromEntries(["iss", ...names].map((name) => [name, claims.get(name) ?? null]));
  throw refusal("may_act_differs", { expected: JSON.stringify(named), received: JSON.stringify(found) });
}

/** Another client may exchange a bound token without the proof if the token is for this client and `without_proof` says so. */
export function requireProof(
  param: PresentedForExchange["param"],
  { origin, audience, confirmation: bound }: ExchangeableToken,
  requester: Requester,
  services: Services,
): void {
  const { client, options: { without_proof: own = [] }, sender } = requester;
  if (bound === undefined || provesKey(sender, bound)) return;
  const isOwn = origin === client.id;
  if (!isOwn && audience.some((each) => own.includes(each))) return;
  throw refusal("exchanged_key_unproven", {
    param,
    expected: describeConfirmation(bound),
    received: describeProof(sender),
    ...(isOwn || audience.length === 0
      ? {}
      : suggestOptions(requester, { without_proof: [...own, ...audience] }, services)),
  });
}
