/** Finds the client that begins a device login, which authenticates as at the token endpoint (RFC 8628 §3.1). */

import { isFromThisMachineOrProcess } from "../../http/request_origin.ts";
import { authenticateClient } from "../../oauth/clients/authenticate_client.ts";
import type { AuthenticatedClient } from "../../oauth/clients/authenticated_client.ts";
import { type Client, publicClientMethod } from "../../oauth/clients/client.ts";
import { findNamedClient, findPollingCandidate } from "../../oauth/clients/find_client.ts";
import { readCredentials } from "../../oauth/clients/read_credentials.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Params } from "../../oauth/params.ts";
import type { Services } from "../../oauth/services.ts";
import { deviceGrantType } from "./device_settings.ts";

/** The client, and how it has authenticated. */
export interface BeginningClient extends Pick<AuthenticatedClient, "client" | "method"> {
  /** No person has approved the client, which becomes known by this login (first use). */
  readonly isUnknown: boolean;
}

export async function identifyClient(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<BeginningClient> {
  const candidate = await findCandidate(exchange, form, services);
  if (candidate === undefined) {
    return { ...await authenticateClient(exchange, form, services), isUnknown: false };
  }
  exchange.note({ clientId: candidate.id });
  // The first redemption decides how the client authenticates, so a secret proves nothing now.
  return { client: candidate, method: publicClientMethod, isUnknown: true };
}

/** Returns the client that an unknown id becomes if a person approves the login. Only programs of this machine can. */
async function findCandidate(
  exchange: Exchange,
  form: Params,
  services: Services,
): Promise<Client | undefined> {
  const { readings } = readCredentials(exchange, form, services);
  const [{ clientId, prove }] = readings as [typeof readings[number]];
  if (prove !== undefined || !isFromThisMachineOrProcess(exchange.request)) return undefined;
  for (const reading of readings) {
    const client = await findNamedClient(reading, exchange, services);
    // A client that polls for another login of the same id is still unknown.
    if (client !== undefined && !(client.unregistered && client.approvedBy === undefined)) return undefined;
  }
  return await findPollingCandidate(clientId, deviceGrantType, services);
}
