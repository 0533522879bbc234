/** The metadata of a client as the server has it: a profile may have filled members that the test left out. */

import type { Members } from "../../../server/oauth/members.ts";
import type { Services } from "../../../server/oauth/services.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";

export function effectiveClient(client: ClientMetadata, { settings }: Services): ClientMetadata & Members {
  return { ...client, ...settings.clients.get(client.client_id)?.members };
}
