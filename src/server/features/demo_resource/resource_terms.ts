/** Where the API of the feature is. */

import type { Settings } from "../../oauth/settings.ts";

export interface ResourceTerms {
  /** The path at the origin of the issuer. */
  readonly path: string;
}

/** Returns the URL of the API, which identifies it. */
export function locateResource({ path }: ResourceTerms, { issuer }: Settings): string {
  return new URL(issuer).origin + path;
}
