/** What the server says about itself, derived from its slots: it cannot announce what it does not do (RFC 8414 §2). */

import { publicClientMethod } from "./client.ts";
import type { Members } from "./seams.ts";
import type { Services } from "./services.ts";

export function describeServer({ settings, slots }: Services): Members {
  const { issuer, baseUrl, scopes } = settings;
  const members: Record<string, unknown> = { issuer };
  for (const { name, path } of slots.endpoints) {
    if (name !== undefined) members[name] = baseUrl + path;
  }
  return withoutEmptyLists({
    ...members,
    scopes_supported: [...scopes.keys()],
    response_types_supported: [...slots.responseTypes.keys()],
    response_modes_supported: [...slots.responseModes.keys()],
    grant_types_supported: [...slots.grantTypes.keys()],
    token_endpoint_auth_methods_supported: [publicClientMethod, ...slots.clientAuth.keys()],
    ...slots.metadata,
  });
}

/** RFC 8414 §3.2: an empty list is left out. */
function withoutEmptyLists(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}
