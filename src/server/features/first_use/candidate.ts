/** The client that an unknown id with a redirect URI becomes if a person approves its request. */

import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import { isPrivateSchemeUri } from "../../oauth/clients/metadata/redirect_uri.ts";
import { usualGrantTypes, usualResponseTypes } from "../../oauth/clients/metadata/usual_grants.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import type { Services } from "../../oauth/contracts/feature.ts";

export const source = "first_use";

export function createCandidate(id: string, redirectUri: string, { slots, random }: Services): Client {
  // RFC 8252 §8.4, §8.5: an app is a public client. Any other client is confidential if its first redemption has a secret.
  const isApp = isPrivateSchemeUri(redirectUri);
  const grantTypes = usualGrantTypes({ isConfidential: !isApp }, slots);
  return {
    id,
    redirectUris: [redirectUri],
    ...(isApp ? { authentication: { method: publicClientMethod } } : {}),
    grantTypes,
    responseTypes: usualResponseTypes(grantTypes, slots),
    requirePkce: true,
    members: {},
    source,
    unregistered: true,
    epoch: createId(random),
  };
}
