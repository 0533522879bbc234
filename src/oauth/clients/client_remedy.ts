/** Suggests a configuration that would allow a refused request. */

import type { Services } from "../services.ts";
import { type Client, methodOf, publicClientMethod } from "./client.ts";
import { acceptsUnknownClients } from "./client_sources.ts";
import { unfitForAnswers } from "./redirect_uri.ts";

/** The member `remedy` of a refusal. Absent: no configuration helps. */
export interface Remedy {
  readonly remedy?: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Suggests to configure an unregistered client. A registered client is configured elsewhere, so it has no remedy. */
export function clientRemedy(client: Client, members: Members, services: Services): Remedy {
  if (!client.unregistered) return {};
  const metadata = {
    client_id: client.id,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: methodOf(client),
    ...members,
  };
  return suggestClient(metadata, services);
}

/** Suggests to configure an unknown client, whose redirect URI is fit for a client with `allow_private_http`. */
export function unknownClientRemedy(
  { id, redirectUri }: { readonly id: string; readonly redirectUri: string },
  services: Services,
): Remedy {
  const needsPrivateHttp = unfitForAnswers(redirectUri) !== undefined;
  const metadata = {
    client_id: id,
    redirect_uris: [redirectUri],
    ...(needsPrivateHttp ? { allow_private_http: true } : {}),
  };
  return suggestClient(metadata, services);
}

function suggestClient(metadata: Members, { slots }: Services): Remedy {
  const method = metadata["token_endpoint_auth_method"] ?? publicClientMethod;
  // A placeholder, because the server has only the hash of the secret.
  const secret = method === publicClientMethod ? {} : { client_secret: "the secret" };
  const configuration = {
    // With configured clients, first use is off unless the configuration switches it on.
    ...(acceptsUnknownClients(slots) ? { firstUse: true } : {}),
    clients: [{ ...metadata, ...secret }],
  };
  return { remedy: JSON.stringify(configuration, null, 2) };
}
