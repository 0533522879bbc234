/** Describes a client with the members of its configuration (RFC 7591), without its secret. */

import type { Members } from "../../oauth/members.ts";
import type { Client } from "../../oauth/clients/client.ts";
import { present } from "../../present.ts";

export function describeMetadata(client: Client): Members {
  const { authentication, scope, rememberConsent, oauthVersion } = client;
  return {
    client_id: client.id,
    ...present({ client_name: client.name }),
    redirect_uris: client.redirectUris,
    ...(authentication === undefined ? {} : { token_endpoint_auth_method: authentication.method }),
    grant_types: client.grantTypes,
    response_types: client.responseTypes,
    ...(scope === undefined ? {} : { scope: scope.join(" ") }),
    ...(client.requirePkce ? {} : { require_pkce: false }),
    ...(client.sector === undefined ? {} : { subject_type: "pairwise" }),
    ...(client.allowsPrivateHttp ? { allow_private_http: true } : {}),
    ...present({ remember_consent: rememberConsent, oauth_version: oauthVersion }),
    ...client.members,
  };
}
