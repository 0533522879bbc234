/** Environment variables that configure an application for this server. */

import { sendsSecret } from "../../oauth/clients/client.ts";
import { registeredMethod } from "../../oauth/clients/client_metadata.ts";
import { isLoopbackUri, isServedFromLoopback } from "../../oauth/clients/redirect_uri.ts";
import { type Configured, findUsualClient, noClientMeant, requireClient } from "./configured.ts";

/** Environment variables, by name. */
export interface Environment extends Readonly<Record<string, string>> {
  readonly OAUTH_ISSUER: string;
  readonly OAUTH_CLIENT_ID: string;
}

export function describeEnvironment(
  clientId: string | undefined,
  firstUse: boolean,
  configured: Configured,
): Environment {
  const client = clientId === undefined ? findUsualClient(configured) : requireClient(clientId, configured);
  if (client === undefined && !firstUse) throw noClientMeant(configured);
  // With first use, any name becomes a client.
  const { client_id: id = "my-app", client_secret: secret, redirect_uris: uris = [] } = client ?? {};
  const { issuer } = configured.services.settings;
  // If the server is on this machine, so is the application.
  const redirectUri = (isServedFromLoopback(issuer) ? uris.find(isLoopbackUri) : undefined) ?? uris[0];
  return {
    OAUTH_ISSUER: issuer,
    OAUTH_CLIENT_ID: id,
    ...(client !== undefined && secret !== undefined && sendsSecret(registeredMethod(client))
      ? { OAUTH_CLIENT_SECRET: secret }
      : {}),
    ...(redirectUri === undefined ? {} : { OAUTH_REDIRECT_URI: redirectUri }),
  };
}
