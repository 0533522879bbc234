/** Suggests a configuration that would allow a refused request of an unregistered client. */

import { type Client, methodOf, publicClientMethod } from "./client.ts";

/** Returns the `remedy` of a refusal. A registered client has none, because its metadata is configured elsewhere. */
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
  // A placeholder, because the server has only the hash of the secret.
  const secret = metadata.token_endpoint_auth_method === publicClientMethod
    ? {}
    : { client_secret: "the secret" };
  return { remedy: JSON.stringify({ clients: [{ ...metadata, ...secret }] }, null, 2) };
}
