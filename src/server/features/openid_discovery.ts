/** OpenID Connect Discovery: the same metadata at the addresses where OpenID clients look for it. */

import { metadataEndpoint } from "../oauth/endpoints/describe_server.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

export function openidDiscovery(): Feature<"metadata"> {
  const endpoint = { ...metadataEndpoint, path: "/.well-known/openid-configuration" } as const;
  return {
    name: "openid_discovery",
    spec: "OpenID Connect Discovery §4",
    // Discovery puts this path after the issuer's path. Clients of RFC 8414 §5 put it before.
    endpoints: [endpoint, { ...endpoint, wellKnown: true }],
    metadata: {
      // Discovery §3: without this member, clients would assume true.
      request_uri_parameter_supported: false,
      request_parameter_supported: ({ slots }) =>
        slots.requestSources.some(({ param }) => param === "request"),
    },
  };
}
