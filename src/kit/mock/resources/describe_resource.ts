/** The metadata of an API: the document, and its address (RFC 9728 §2, §3). */

import { protectedResourcePath } from "../../../server/oauth/contracts/paths.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { ResourceTerms } from "./resource_terms.ts";
import { present } from "../../../ground/values/present.ts";

/** Returns the address of the metadata, or `undefined` if the API has none. */
export function locateMetadata(url: string, { metadata = "path" }: ResourceTerms): string | undefined {
  if (metadata === false) return undefined;
  if (metadata instanceof URL) return metadata.href;
  const { origin, pathname } = new URL(url);
  // RFC 9728 §3.1: a path of "/" is left out.
  return origin + protectedResourcePath + (metadata === "root" || pathname === "/" ? "" : pathname);
}

/** `issuers` are those of the authorization servers. */
export function describeResource(
  url: string,
  { scopes, dpop, document }: ResourceTerms,
  issuers: readonly string[],
  settings: Settings,
): Readonly<Record<string, unknown>> {
  const members = {
    resource: url,
    authorization_servers: issuers,
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    ...present({ dpop_signing_alg_values_supported: dpop && settings.dpop.algorithms }),
    ...present({ dpop_bound_access_tokens_required: dpop?.required || undefined }),
  };
  // RFC 9728 §3.2: a member without values is left out. A test may write an empty list into `document`.
  const filled = Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { ...Object.fromEntries(filled), ...document };
}
