/** In a browser, there is no Directory API: the programs of an administrator call it, and no pages. */

import type { ProviderEndpoint } from "./look_alike.ts";

export function listDirectoryEndpoints(): readonly ProviderEndpoint[] {
  return [];
}
