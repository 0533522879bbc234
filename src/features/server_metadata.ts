/** Authorization Server Metadata (RFC 8414). */

import { etagOf } from "../crypto/bytes.ts";
import { serveStatic } from "../http/static_files.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { passSeam } from "../oauth/seams.ts";
import { describeServer } from "../oauth/server_metadata.ts";
import type { Services } from "../oauth/services.ts";

export function serverMetadata(): Feature {
  return {
    name: "server_metadata",
    spec: "RFC 8414",
    endpoints: [{
      method: "GET",
      path: "/.well-known/oauth-authorization-server",
      wellKnown: true,
      refusal: "json",
      cors: true,
      handle: showMetadata,
    }],
  };
}

async function showMetadata(exchange: Exchange, services: Services): Promise<Response> {
  const metadata = await passSeam(services.seams, "metadata", describeServer(services), exchange);
  const text = JSON.stringify(metadata);
  return serveStatic(
    exchange.request,
    { type: "application/json", text, etag: etagOf(text) },
    60,
  );
}
