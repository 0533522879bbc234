/** The metadata, derived from the slots, so that it announces what the server does and nothing else (RFC 8414 §2). */

import { etagOf } from "../../crypto/bytes.ts";
import type { Answer } from "../../http/message.ts";
import { fixedPath } from "../../http/router.ts";
import { serveStatic } from "../../http/static_files.ts";
import { publicClientMethod } from "../clients/client.ts";
import type { Exchange } from "../exchange.ts";
import type { MetadataValue } from "../feature.ts";
import type { Members } from "../members.ts";
import { passSeam } from "../seams.ts";
import type { Services } from "../services.ts";
import { prepareAnnouncedKeys } from "../tokens/announced_keys.ts";

export function describeServer(services: Services): Members {
  const { settings, slots } = services;
  const urls = endpointUrls(services);
  return withoutEmptyLists({
    issuer: settings.issuer,
    ...Object.fromEntries(urls),
    scopes_supported: [...new Set([...slots.scopes, ...settings.scopes.keys()])],
    response_types_supported: [...slots.responseTypes.keys()],
    response_modes_supported: [...slots.responseModes.keys()],
    grant_types_supported: [...slots.grantTypes.keys()],
    token_endpoint_auth_methods_supported: urls.has("token_endpoint") ? clientAuthMethods(services) : [],
    ...Object.fromEntries(
      Object.entries(slots.metadata).map(([name, value]) => [name, resolveMetadata(value, services)]),
    ),
  });
}

function resolveMetadata(value: MetadataValue, services: Services): unknown {
  return typeof value === "function" ? value(services) : value;
}

export function clientAuthMethods({ slots }: Services): readonly string[] {
  return [publicClientMethod, ...slots.clientAuth.keys()];
}

/** URLs of the announced endpoints by their names in the metadata. Several methods of one path are one endpoint. */
export function endpointUrls({ settings, slots }: Services): ReadonlyMap<string, string> {
  return new Map(
    slots.endpoints.flatMap(({ metadataName: name, path }) =>
      name === undefined ? [] : [[name, settings.baseUrl + fixedPath(path)]]
    ),
  );
}

/** RFC 8414 §3.2: an empty list is left out. */
function withoutEmptyLists(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) =>
      value !== undefined && (!Array.isArray(value) || value.length > 0)
    ),
  );
}

/** The same document at all addresses of the metadata, revalidated by ETag. */
export async function showMetadata(exchange: Exchange, services: Services): Promise<Answer> {
  // In the background: the client reads its keys later.
  void prepareAnnouncedKeys(services);
  const metadata = await passSeam(services.seams, "metadata", describeServer(services), exchange);
  const text = JSON.stringify(metadata);
  return serveStatic(
    exchange.request,
    { type: "application/json", text, etag: etagOf(text) },
    60,
  );
}
