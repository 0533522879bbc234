/** Environment variables that configure a client application for this server. */

import { registeredMethod, usesSecret } from "../../../server/oauth/contracts/client.ts";
import {
  isLoopbackRedirectUri,
  isServedFromLoopback,
} from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { type Configured, findDefaultClient, noSuitableClient, requireClient } from "./configured.ts";
import { present } from "../../../ground/values/present.ts";

/**
 * The values of the environment variables by name. `OAUTH_REDIRECT_URI` is there if the client has a redirect URI, and
 * `OAUTH_CLIENT_SECRET` if the client uses a secret.
 */
export interface Environment extends Readonly<Record<string, string>> {
  /** The issuer of the server. */
  readonly OAUTH_ISSUER: string;
  /** The id of the client. */
  readonly OAUTH_CLIENT_ID: string;
}

/** Without `clientId`, for the default client of the mock. */
export function describeEnvironment(
  clientId: string | undefined,
  acceptsFirstUse: boolean,
  configured: Configured,
): Environment {
  const client = clientId === undefined ? findDefaultClient(configured) : requireClient(clientId, configured);
  if (client === undefined && !acceptsFirstUse) throw noSuitableClient(configured);
  // With first use, the server accepts any client id, so an example is enough.
  const { client_id: id = "my-app", client_secret: secret, redirect_uris: uris = [] } = client ?? {};
  const { issuer } = configured.services.settings;
  // If the issuer is on loopback, the application runs on this machine too, so a loopback redirect URI is preferred.
  const redirectUri = (isServedFromLoopback(issuer) ? uris.find(isLoopbackRedirectUri) : undefined) ??
    uris[0];
  return {
    OAUTH_ISSUER: issuer,
    OAUTH_CLIENT_ID: id,
    ...present({
      OAUTH_CLIENT_SECRET:
        client !== undefined && secret !== undefined && usesSecret(registeredMethod(client))
          ? secret
          : undefined,
      OAUTH_REDIRECT_URI: redirectUri,
    }),
  };
}
