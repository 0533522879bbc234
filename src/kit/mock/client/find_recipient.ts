/** Finds the client that received a token: the test names it, the test kit remembers it, or the server's record has it. */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { findToken } from "../../../server/oauth/tokens/find_token.ts";
import { exampleRedirectUris, NotConfigured, requireClient } from "../terms/configured.ts";
import type { GivenTokens } from "./given_tokens.ts";
import type { RunningTenant } from "../running_tenant.ts";
import type { TokenRecipient } from "./token_recipients.ts";

/** `token` is the text of the one token in `tokens` that the request is about. */
export async function findRecipient(
  tokens: string | GivenTokens,
  token: string,
  { client: id, clientKey }: { readonly client?: string; readonly clientKey?: Jwk },
  running: RunningTenant,
): Promise<TokenRecipient> {
  const known = running.recipients.get(tokens);
  const name = known?.client.client_id;
  if (known !== undefined && (id === undefined || id === name)) {
    // Reads the current entry, because the client's secret may have changed since the token was issued.
    const client = running.clients.find((each) => each.client_id === name) ?? known.client;
    return { ...known, client, clientKey: clientKey ?? known.clientKey };
  }
  const named = id ?? (await findToken(token, undefined, running.services))?.clientId;
  if (named === undefined) throw recipientUnknown(running);
  const configured = running.clients.find((client) => client.client_id === named);
  return {
    // A client that the server registered at its first use is in the store only.
    client: configured ?? (id === undefined ? { client_id: named } : requireClient(named, running)),
    clientKey,
  };
}

function recipientUnknown({ clients }: RunningTenant): NotConfigured {
  return new NotConfigured(
    'This server does not know the token, so it cannot tell which client has it: name the client with { client: "…" }',
    {
      kind: "client",
      known: clients.map((client) => client.client_id),
      forUnknownToken: true,
      entry: { client_id: "my-app", redirect_uris: exampleRedirectUris },
    },
  );
}
