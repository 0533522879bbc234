/** What the server says about itself, derived from its slots: it cannot announce what it does not do (RFC 8414 §2). */

import { publicClientMethod } from "./client.ts";
import type { Members } from "./seams.ts";
import type { Services } from "./services.ts";

export function describeServer(services: Services): Members {
  const { settings, slots } = services;
  return withoutEmptyLists({
    issuer: settings.issuer,
    ...Object.fromEntries(endpointUrls(services)),
    scopes_supported: [...settings.scopes.keys()],
    response_types_supported: [...slots.responseTypes.keys()],
    response_modes_supported: [...slots.responseModes.keys()],
    grant_types_supported: [...slots.grantTypes.keys()],
    token_endpoint_auth_methods_supported: slots.endpoints.some(({ name }) => name === "token_endpoint")
      ? [publicClientMethod, ...slots.clientAuth.keys()]
      : [],
    ...slots.metadata,
  });
}

/** The endpoints that have a name to the world; several methods of one path are one endpoint. */
export function endpointUrls({ settings, slots }: Services): ReadonlyMap<string, string> {
  return new Map(
    slots.endpoints.flatMap(({ name, path }) => name === undefined ? [] : [[name, settings.baseUrl + path]]),
  );
}

/** RFC 8414 §3.2: an empty list is left out. */
function withoutEmptyLists(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}
