/** Notes the facts of a request that the test lets fail. The server does not handle such a request, so it notes none. */

import { readCredentials } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import { readForm, readQuery } from "../../../server/oauth/contracts/params.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";

/** Reads the form, so that the journal has it, and notes the grant type and the client if the server knows them. */
export async function noteFailedRequest(exchange: Exchange, services: Services): Promise<void> {
  try {
    const clientIds = exchange.request.method === "POST"
      ? await readPost(exchange, services)
      : [readQuery(exchange).get("client_id")];
    for (const id of clientIds) {
      // An unknown client_id is not noted, because it may be any text, even a secret.
      const client = id === undefined ? undefined : await findClient(id, services);
      if (client !== undefined) return exchange.note({ clientId: client.id });
    }
  } catch {
    // The request fails as the test says, even if its form or its credentials are wrong.
  }
}

/** Notes the grant type, and returns the client ids that the request may mean. */
async function readPost(exchange: Exchange, services: Services): Promise<readonly string[]> {
  const form = await readForm(exchange);
  const grantType = services.slots.grantTypes.get(form.get("grant_type") ?? "");
  if (grantType !== undefined) exchange.note({ grantType: grantType.name });
  return readCredentials(exchange, form, services).readings.map(({ clientId }) => clientId);
}
