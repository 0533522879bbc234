/** In a browser, no program manages people, so the look-alikes do not have these addresses there. */

import type { Difference, Laxness, ProviderEndpoint } from "./look_alike.ts";

export function manageAuth0(): readonly ProviderEndpoint[] {
  return [];
}

export const manageKeycloak: () => readonly ProviderEndpoint[] = manageAuth0;
export const manageOkta: () => readonly ProviderEndpoint[] = manageAuth0;
export const managedPath = {};
export const adminPath = {};
export const managementLax: readonly Laxness[] = [];
export const adminDifferences: readonly Difference[] = [];
