/** Binds a pushed authorization request to the key that its sender proves (RFC 9449 §10.1). */

import type { AuthenticatedClient } from "../../oauth/clients/authenticated_client.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import { createParams, type Params } from "../../oauth/params.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Services } from "../../oauth/services.ts";
import { proveSender } from "../../oauth/tokens/prove_sender.ts";

const refusal = refusals({
  bound_key_differs: {
    error: "invalid_request",
    spec: "RFC 9449 §10.1",
    sentence: "The request proves another key than {name} names",
    expected: "{name}={thumbprint}",
    change: "Sign the proof with the key that the request names, or name the key that signs.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * Returns the parameters of the request with the one that names the proved key, such as `dpop_jkt`. Without a proof,
 * the parameters stay as they are. Refuses a request whose parameter names another key than its proof.
 */
export async function bindToSender(
  params: Params,
  client: Pick<AuthenticatedClient, "client" | "method">,
  exchange: Exchange,
  services: Services,
): Promise<Params> {
  const { senderProofs } = services.slots;
  const { confirmation } = await proveSender(exchange, client, services);
  const name = confirmation && senderProofs.get(confirmation.method)?.requestParam;
  if (confirmation === undefined || name === undefined) return params;
  const { thumbprint } = confirmation;
  const named = params.get(name);
  if (named === undefined) {
    return createParams([...params.pairs.filter(([each]) => each !== name), [name, thumbprint]]);
  }
  if (named === thumbprint) return params;
  throw refusal("bound_key_differs", { name, thumbprint, received: `${name} of another key` });
}
