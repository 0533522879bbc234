/** Finds the client that pushes a request (RFC 9126 §2.1). It authenticates as at the token endpoint. */

import type { Exchange } from "../../oauth/exchange.ts";
import { createParams, type Params } from "../../oauth/params.ts";
import type { Services } from "../../oauth/services.ts";
import { authenticateClient } from "../../oauth/clients/authenticate_client.ts";
import type { AuthenticatedClient } from "../../oauth/clients/authenticated_client.ts";
import { type Client, publicClientMethod } from "../../oauth/clients/client.ts";
import { acceptsUnknownClients } from "../../oauth/clients/client_sources.ts";
import { findCandidate, findNamedClient, identifyClient } from "../../oauth/clients/find_client.ts";
import { readCredentials } from "../../oauth/clients/read_credentials.ts";

/** The client, and how it has authenticated. */
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

/**
 * Returns the client that an unknown id becomes if a person approves the request (first use). Its secret proves nothing
 * before its first redemption, so the request counts as little as one in the browser's address.
 */
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
    if (await findNamedClient(reading, exchange, services) !== undefined) return undefined;
  }
  if (findCandidate(clientId, redirectUri, services) === undefined) return undefined;
  const params = createParams([["client_id", clientId], ["redirect_uri", redirectUri]]);
  return await identifyClient(params, exchange, services);
}
