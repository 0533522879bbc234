/** Compares two uses of one client id: only one of them can be the first. */

import type { Client } from "../../oauth/clients/client.ts";
import { clientRemedy } from "../../oauth/clients/client_remedy.ts";
import { matchesRedirectUri } from "../../oauth/clients/redirect_uri.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Services } from "../../oauth/services.ts";

const refusal = refusals({
  first_use_taken: {
    error: "invalid_request",
    sentence: "Another use of this client id was approved first",
    change: "Use the redirect URI with which this client was approved first, or configure the client.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the client that was approved first if this use of its id is the same. */
export function requireSameUse(
  client: Client,
  existing: Client | undefined,
  services: Services,
): Client {
  if (existing !== undefined && isSameUse(existing, client)) return existing;
  throw refusal("first_use_taken", {
    ...(existing === undefined ? {} : {
      expected: describeUse(existing),
      ...clientRemedy(existing, combine(existing, client), services),
    }),
    received: describeUse(client),
  });
}

function isSameUse(existing: Client, { redirectUris: [redirectUri] }: Client): boolean {
  return redirectUri === undefined
    ? existing.redirectUris.length === 0
    : existing.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri));
}

function describeUse({ redirectUris, grantTypes }: Client): string {
  return redirectUris.join(" ") || `${grantTypes[0]}, without a redirect URI`;
}

/** Returns the metadata of a client that allows both uses. */
function combine(one: Client, other: Client): Readonly<Record<string, unknown>> {
  const redirect_uris = [...one.redirectUris, ...other.redirectUris];
  const isOneKind = one.redirectUris.length > 0 && other.redirectUris.length > 0;
  return isOneKind
    ? { redirect_uris }
    : { redirect_uris, grant_types: [...new Set([...one.grantTypes, ...other.grantTypes])] };
}
