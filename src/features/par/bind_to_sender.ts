/** Binds a pushed authorization request to the key that its sender proves (RFC 9449 §10.1). */

import type { AuthenticatedClient } from "../../oauth/clients/authenticated_client.ts";
import { fail } from "../../oauth/error.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import { createParams, type Params } from "../../oauth/params.ts";
import type { Services } from "../../oauth/services.ts";
import { proveSender } from "../../oauth/tokens/prove_sender.ts";

export type BoundRequestReason = "bound_key_differs";

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
  return fail<BoundRequestReason>(
    "invalid_request",
    `The request proves another key than ${name} names`,
    {
      reason: "bound_key_differs",
      spec: "RFC 9449 §10.1",
      expected: `${name}=${thumbprint}`,
      received: `${name} of another key`,
    },
  );
}
