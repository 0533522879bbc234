/** In a browser, there is no app of Slack with token rotation: each visitor of a page could read its secret. */

import { writesTokens } from "./differences.ts";
import type { Laxness, ProviderEndpoint } from "./look_alike.ts";

export function issuesTokens(): ReturnType<typeof writesTokens> {
  return writesTokens((text) => `xoxb-${text}`);
}

export function listAppMethods(): readonly ProviderEndpoint[] {
  return [];
}

export const rotationLax: readonly Laxness[] = [];
