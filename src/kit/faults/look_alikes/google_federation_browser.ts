/** In a browser, there is no workload: no page has the token of a platform. */

import type { Laxness, ProviderEndpoint } from "./look_alike.ts";

export function listFederationEndpoints(): readonly ProviderEndpoint[] {
  return [];
}

export const federationLax: readonly Laxness[] = [];
