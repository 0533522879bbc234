/** Finds the client that pushes a request (RFC 9126 §2.1), and binds the request to the key that it proves (RFC 9449 §10.1). */

import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { createParams, type Params } from "../../oauth/contracts/params.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { authenticateClient } from "../../oauth/clients/authentication/authenticate_client.ts";
import type { AuthenticatedClient } from "../../oauth/contracts/authenticated_client.ts";
import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import {
  acceptsUnknownClients,
  findCandidate,
  findNamedClient,
} from "../../oauth/clients/records/find_client.ts";
import { readCredentials } from "../../oauth/clients/authentication/read_credentials.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { proveSender } from "../../oauth/tokens/prove_sender.ts";
import { identifyClient, learnsRedirectUri } from "../../oauth/authorization/require_redirect_target.ts";

export type PushingClient = Pick<AuthenticatedClient, "client" | "method">;

export async function identifyPushingClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<PushingClient> {
  const candidate = await findPushingCandidate(exchange, form, services);
  return candidate === undefined
    ? await authenticateClient(exchange, form, services)
    : { client: candidate, method: publicClientMethod };
}

/** First use: a secret proves nothing before the first redemption, so the request counts as one in the browser's address. */
async function findPushingCandidate(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<Client | undefined> {
  if (!acceptsUnknownClients(services.slots)) return undefined;
  const { readings } = readCredentials(exchange, form, services);
  const [{ clientId, prove }] = readings as [typeof readings[number]];
  const redirectUri = form.get("redirect_uri");
  if (prove !== undefined || redirectUri === undefined) return undefined;
  for (const reading of readings) {
    const client = await findNamedClient(reading, exchange, services);
    if (client !== undefined && !learnsRedirectUri(client, services)) return undefined;
  }
  if (findCandidate(clientId, redirectUri, services) === undefined) return undefined;
  const params = createParams([["client_id", clientId], ["redirect_uri", redirectUri]]);
  return await identifyClient(params, exchange, services);
}

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

/** Adds the parameter that names the proved key, such as `dpop_jkt`. Without a proof, the parameters stay as they are. */
export async function bindToSender(
  params: Params,
  client: PushingClient,
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
