/** The token endpoint, where a client exchanges a code or another grant for tokens (OAuth 2.1 §3.2). */

import type { Answer } from "../../ground/http/message.ts";
import { authenticateClient } from "../oauth/clients/authentication/authenticate_client.ts";
import type { AuthenticatedClient } from "../oauth/contracts/authenticated_client.ts";
import { requiresProof } from "../oauth/clients/authentication/bound_tokens.ts";
import type { Client } from "../oauth/contracts/client.ts";
import { memberOf } from "../oauth/contracts/feature_values.ts";
import { usualPaths } from "../oauth/contracts/paths.ts";
import { type OAuthError, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Feature, GrantType, Services, TokenRequest } from "../oauth/contracts/feature.ts";
import { readForm, requireParam, requireUnrepeatedForm } from "../oauth/contracts/params.ts";
import { answerTokens, commitChange, prepareTokens } from "../oauth/tokens/prepare_tokens.ts";
import { describeProof, proveSender } from "../oauth/tokens/prove_sender.ts";
import type { Ending, Redemption } from "../oauth/contracts/redemption.ts";
import { bearer, type Sender } from "../oauth/contracts/sender.ts";
import { describeSecretText } from "../../ground/schema/received.ts";

const refusal = refusals({
  grant_contended: {
    error: "temporarily_unavailable",
    sentence: "Too many requests changed this grant at the same time: try again",
    change: "Send the same request again, and send fewer of them at the same time.",
  },
  proof_missing: {
    error: "invalid_request",
    spec: "RFC 9449 §5.2, RFC 8705 §3.4",
    sentence: "This client must prove possession of a key in each token request",
    expected: "a proof of possession",
    change: "Add the proof to the request, because this client may have bound tokens only.",
  },
  grant_type_unsupported: {
    error: "unsupported_grant_type",
    spec: "OAuth 2.1 §3.2.4",
    sentence: "This grant_type is not supported",
    expected: "a grant type that the server supports",
    change: "Use a grant_type that the discovery document lists.",
  },
  grant_type_not_for_client: {
    error: "unauthorized_client",
    spec: "OAuth 2.1 §3.2.4",
    sentence: "This client may not use grant_type {name}",
    expected: "one of the client's grant_types",
    change: "Add the grant type to grant_types of this client, or use another client.",
  },
});

export const refused: RefusalRows = refusal.rows;

// An attempt fails only if another request has changed the grant, and a grant changes only a few times.
const mostAttempts = 10;

export function token(): Feature<"token"> {
  return {
    name: "token",
    spec: "OAuth 2.1 §3.2",
    clientMembers: [requiresProof],
    endpoints: [{
      method: "POST",
      name: "token",
      path: usualPaths.token,
      metadataName: "token_endpoint",
      announcesClientAuth: "all",
      refusal: "json",
      cors: true,
      handle: answerTokenRequest,
    }],
  };
}

/** Answers a token request. An attempt is lost if another request has changed the grant or the client at the same time. */
async function answerTokenRequest(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const form = await readForm(exchange);
  const known = services.slots.grantTypes.get(form.get("grant_type") ?? "");
  requireUnrepeatedForm(form, known?.repeatable);
  // An unknown grant_type is not noted, because it may be any text, even a secret.
  if (known !== undefined) exchange.note({ grantType: known.name });
  // identify
  let client = await authenticateClient(exchange, form, services);
  const sender = services.slots.senderProofs.size === 0
    ? bearer
    : await proveSender(exchange, client, services);
  for (let count = 1; count <= mostAttempts; count++) {
    const outcome = await attempt({ exchange, form, client, sender }, services);
    if (typeof outcome !== "string") return outcome;
    if (outcome === "client_changed") client = await authenticateClient(exchange, form, services);
  }
  throw refusal("grant_contended", { headers: { "retry-after": "1" } });
}

/** What another request has changed before this attempt could write its own change. */
type Lost = "grant_changed" | "client_changed";

/** Decides on the current grant. The write of the grant comes last, so a lost attempt has given no tokens. */
async function attempt(request: TokenRequest, services: Services): Promise<Answer | Lost> {
  const { exchange, form, client: { client, recordUse }, sender } = request;
  // validate
  const grantType = requireGrantType(requireParam(form, "grant_type"), client, services);
  requireClientProof(sender, client, services);
  const proposal = await grantType.redeem(request, services);
  if ("refusal" in proposal) return await endWithRefusal(proposal, request.client, services);
  const redemption = await changeRedemption(proposal, request, services);
  // act
  const tokens = await prepareTokens({ redemption, client, sender, exchange }, services);
  if (!await recordUse(tokens.livesUntil)) return "client_changed";
  if (!await commitChange(tokens, services)) return "grant_changed";
  // respond
  return await answerTokens(tokens, exchange, services);
}

/** Ends the grant and throws the refusal. Returns what another request has changed, if that comes first. */
async function endWithRefusal(
  ending: Ending,
  client: AuthenticatedClient,
  services: Services,
): Promise<Lost> {
  if (!await client.isCurrent()) return "client_changed";
  if (await commitChange(ending, services)) throw ending.refusal;
  return "grant_changed";
}

/** Lets features change what the client gets, and notes the resources, which may be fewer than those of the grant. */
async function changeRedemption(
  proposed: Redemption,
  { exchange, form, client: { client } }: TokenRequest,
  services: Services,
): Promise<Redemption> {
  let redemption = proposed;
  for (const change of services.slots.changesRedemption) {
    redemption = await change({ redemption, form, client }, services);
  }
  exchange.note({ resource: redemption.resource });
  return redemption;
}

function requireGrantType(name: string, client: Client, { slots, settings }: Services): GrantType {
  const grantType = slots.grantTypes.get(name);
  if (grantType === undefined) {
    const known = [...slots.grantTypes.keys()].join(", ");
    throw refusal("grant_type_unsupported", {
      // OAuth 2.1 has no password grant.
      expected: name === "password" ? `${known}; in a test, as.login or POST /_postern/login` : known,
      // Other text may be a secret in the wrong parameter.
      received: /^(?:[a-z]+(?:[_-][a-z]+){0,4}|urn:ietf:[\w:.-]{1,80})$/i.test(name)
        ? name
        : describeSecretText(name),
    });
  }
  if (!client.grantTypes.includes(name) && !settings.grantsOfAll?.includes(name)) {
    throw refusal("grant_type_not_for_client", {
      name,
      expected: client.grantTypes.join(", ") || "no grant type at all",
      received: name,
    });
  }
  return grantType;
}

/** Refuses a client that gets tokens only with a proof, if the request has none (RFC 9449 §5.2, RFC 8705 §3.4). */
function requireClientProof(sender: Sender, client: Client, services: Services): void {
  const proofs = services.slots.senderProofs;
  for (const proof of proofs.values()) {
    if (proof.name === sender.confirmation?.method || !proof.isRequired?.(client, services)) continue;
    throw proofRefusal([proof.presentedIn], sender);
  }
  if (sender.confirmation !== undefined || memberOf(client, requiresProof) !== true) return;
  const places = [...proofs.values()].map(({ presentedIn, boundBy }) =>
    boundBy === undefined ? presentedIn : `${presentedIn} (for a client with ${boundBy})`
  );
  throw proofRefusal(places, sender);
}

function proofRefusal(places: readonly string[], sender: Sender): OAuthError {
  return refusal("proof_missing", {
    expected: `a proof of possession in ${places.join(" or ")}`,
    received: describeProof(sender),
  });
}
