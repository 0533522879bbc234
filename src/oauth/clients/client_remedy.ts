/** For refusals of unregistered clients: the configuration that would allow what was refused. */

import { type Client, methodOf, publicClientMethod } from "./client.ts";

/** A part of the refusal's details; empty for a client whose metadata stands somewhere else already. */
export function clientRemedy(
  client: Client,
  members: Readonly<Record<string, unknown>>,
): { readonly remedy?: string } {
  if (!client.unregistered) return {};
  const metadata = {
    client_id: client.id,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: methodOf(client),
    ...members,
  };
  // The server has only the hash of the secret.
  const secret = metadata.token_endpoint_auth_method === publicClientMethod
    ? {}
    : { client_secret: "the secret" };
  return { remedy: JSON.stringify({ clients: [{ ...metadata, ...secret }] }, null, 2) };
}
