/** Authorization Server Metadata: what the server can do, and where (RFC 8414). */

import { metadataEndpoint } from "../oauth/endpoints/describe_server.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

export function serverMetadata(): Feature<"metadata"> {
  return {
    name: "server_metadata",
    spec: "RFC 8414",
    endpoints: [{ ...metadataEndpoint, path: "/.well-known/oauth-authorization-server", wellKnown: true }],
  };
}
