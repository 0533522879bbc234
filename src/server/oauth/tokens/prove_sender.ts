/** Checks which key the sender of a token request proves to hold (RFC 9449, RFC 8705). */

import type { AuthenticatedClient } from "../contracts/authenticated_client.ts";
import { type Client, publicClientMethod } from "../contracts/client.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import { findUrl } from "../requests/server_urls.ts";
import type { Services } from "../contracts/feature.ts";
import { bearer, type Confirmation, type Sender } from "../contracts/sender.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  several_proofs: {
    error: "invalid_request",
    sentence: "The request proves two keys, but a token is bound to one",
    expected: "one proof of possession",
    change: "Prove one key: by the DPoP header, or by the certificate of the connection.",
  },
  key_unproven: {
    spec: "RFC 9449 §5, §10; RFC 8705 §4",
    sentence: "The request does not prove the key that its code or refresh token is bound to",
    expected: "{key}",
    change:
      "Prove the key of the authorization request, or of the first token request, by the same way as there.",
  },
  key_differs: {
    spec: "RFC 9449 §5, §10; RFC 8705 §4",
    sentence: "The request does not prove the key that its code or refresh token is bound to",
    expected: "{key}",
    change: "Prove the key to which the code or the refresh token is bound.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Call it once for each request, because a proof is valid once. A proof does not replace client authentication. */
export async function proveSender(
  exchange: Exchange,
  { client, method }: Pick<AuthenticatedClient, "client" | "method">,
  services: Services,
): Promise<Sender> {
  const { settings } = services;
  const options = { urls: [findUrl(exchange, settings)], audience: settings.issuer, client };
  const confirmations: Confirmation[] = [];
  for (const proof of services.slots.senderProofs.values()) {
    const proving = proof.prove(exchange, options, services);
    const result = proving instanceof Promise ? await proving : proving;
    if (result === undefined) continue;
    if ("refusal" in result) throw result.refusal;
    confirmations.push({ method: proof.name, thumbprint: result.thumbprint });
  }
  const confirmation = chooseConfirmation(confirmations, client, services);
  if (confirmation === undefined) return bearer;
  exchange.note({ provenKey: describeConfirmation(confirmation) });
  const { tokenType } = services.slots.senderProofs.get(confirmation.method)!;
  return { tokenType, confirmation, bindsRefresh: method === publicClientMethod };
}

/** Of several keys, tokens are bound to the one that the client must prove. */
function chooseConfirmation(
  confirmations: readonly Confirmation[],
  client: Client,
  services: Services,
): Confirmation | undefined {
  if (confirmations.length < 2) return confirmations[0];
  const { senderProofs } = services.slots;
  const [required, second] = confirmations.filter(({ method }) =>
    senderProofs.get(method)!.isRequired?.(client, services)
  );
  if (required !== undefined && second === undefined) return required;
  throw refusal("several_proofs", { received: confirmations.map(({ method }) => method).join(" and ") });
}

/** Accepts a bound code or refresh token only from the holder of its key (RFC 9449 §5, §10; RFC 8705 §4). */
export function requireSameSender(bound: Confirmation | undefined, sender: Sender): void {
  if (bound === undefined || provesKey(sender, bound)) return;
  throw refusal(sender.confirmation === undefined ? "key_unproven" : "key_differs", {
    key: describeConfirmation(bound),
    received: describeProof(sender),
  });
}

export function provesKey({ confirmation: proved }: Sender, bound: Confirmation): boolean {
  return bound.method === proved?.method && bound.thumbprint === proved.thumbprint;
}

export function describeProof({ confirmation }: Sender): string {
  return confirmation === undefined ? "no proof of possession" : describeConfirmation(confirmation);
}

export function describeConfirmation({ method, thumbprint }: Confirmation): string {
  return `${method} ${thumbprint}`;
}
