/** The address of the metadata of OAuth. */

import type { ProviderEndpoint, Source } from "./look_alike.ts";

/** It is before the path of the issuer (RFC 8414 §3.1). */
export function oauthMetadata(issuer: string, source: Source): ProviderEndpoint {
  const url = issuer.replace(/(?<=\w)(?=\/|$)/, "/.well-known/oauth-authorization-server");
  return { url, is: "metadata", source, isUnannounced: true };
}
