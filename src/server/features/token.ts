/** The token endpoint, where a client exchanges a code or another grant for tokens (OAuth 2.1 §3.2). */

import type { Answer } from "../http/message.ts";
import { json } from "../http/respond.ts";
import { authenticateClient } from "../oauth/clients/authenticate_client.ts";
import { requiresProof } from "../oauth/clients/bound_tokens.ts";
import type { Client } from "../oauth/clients/client.ts";
import { memberOf } from "../oauth/clients/client_member.ts";
import { usualPaths } from "../oauth/paths.ts";
import type { OAuthError } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature, GrantType } from "../oauth/feature.ts";
import { readForm, requireParam, requireUnrepeatedForm } from "../oauth/params.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";
import { passSeam } from "../oauth/seams.ts";
import type { Services } from "../oauth/services.ts";
import { commitChange, type PreparedTokens, prepareTokens } from "../oauth/tokens/prepare_tokens.ts";
import { describeProof, proveSender } from "../oauth/tokens/prove_sender.ts";
import { bearer, type Sender } from "../oauth/tokens/sender.ts";
import { describeSecretText } from "../schema/received.ts";

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
      handle: exchangeToken,
    }],
  };
}

async function exchangeToken(exchange: Exchange, services: Services): Promise<Answer> {
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
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    // validate
    const grantType = requireGrantType(requireParam(form, "grant_type"), client.client, services);
    requireClientProof(sender, client.client, services);
    const proposal = await grantType.redeem({ exchange, form, client, sender }, services);
    // act; if another request has changed the grant first, decide again on the changed grant
    if ("refusal" in proposal) {
      if (!await client.isCurrent()) client = await authenticateClient(exchange, form, services);
      else if (await commitChange(proposal, services)) throw proposal.refusal;
      continue;
    }
    let redemption = proposal;
    for (const narrow of services.slots.narrowsTokens) {
      redemption = await narrow({ redemption, form, client: client.client }, services);
    }
    // The token may be for fewer resources than the grant.
    exchange.note({ resource: redemption.resource });
    const issue = { redemption, client: client.client, sender, exchange };
    const tokens = await prepareTokens(issue, services);
    if (!await client.recordUse(tokens.livesUntil)) {
      client = await authenticateClient(exchange, form, services);
    } // respond
    else if (await commitChange(tokens, services)) return await respond(tokens, exchange, services);
  }
  throw refusal("grant_contended", { headers: { "retry-after": "1" } });
}

async function respond(
  { members, grant }: PreparedTokens,
  exchange: Exchange,
  { seams }: Services,
): Promise<Answer> {
  const answer = await passSeam(seams, "token_response", { status: 200, members }, exchange, grant);
  return json(answer.members, { status: answer.status });
}

function requireGrantType(name: string, client: Client, { slots }: Services): GrantType {
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
  if (!client.grantTypes.includes(name)) {
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
    throw refuseProof([proof.presentedIn], sender);
  }
  if (sender.confirmation !== undefined || memberOf(client, requiresProof) !== true) return;
  const places = [...proofs.values()].map(({ presentedIn, boundBy }) =>
    boundBy === undefined ? presentedIn : `${presentedIn} (for a client with ${boundBy})`
  );
  throw refuseProof(places, sender);
}

function refuseProof(places: readonly string[], sender: Sender): OAuthError {
  return refusal("proof_missing", {
    expected: `a proof of possession in ${places.join(" or ")}`,
    received: describeProof(sender),
  });
}
