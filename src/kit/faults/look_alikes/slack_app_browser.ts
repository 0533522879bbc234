/** In a browser, there is no app of Slack with token rotation: each visitor of a page could read its secret. */

import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";
import type { Laxness, ProviderEndpoint } from "./look_alike.ts";

export function issuesTokens() {
  return (usual: Endpoint["handle"]): Endpoint["handle"] => usual;
}

export function listAppMethods(): readonly ProviderEndpoint[] {
  return [];
}

export const rotationLax: readonly Laxness[] = [];
