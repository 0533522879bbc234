/** The redirect URI of an application whose library decides the path. */

import type { Application } from "./application_terms.ts";

/** Where a library takes the answer. The library decides the path, not the application. */
export interface LibraryAddress {
  readonly library: string;
  /** Its one group is the name that the application gave this server. */
  readonly pattern: RegExp;
  readonly path: (id: string) => string;
  /** Where an application runs whose redirect URI is not configured yet. */
  readonly origin: string;
}

/** The library's name for this server, its redirect URI if there is a good one, and what to know about that. */
export function findAddress(
  { redirectUris, isNew }: Application,
  { library, pattern, path, origin }: LibraryAddress,
): { readonly id: string; readonly redirectUri?: string; readonly notes: readonly string[] } {
  for (const redirectUri of redirectUris) {
    const [, id] = pattern.exec(redirectUri) ?? [];
    if (id !== undefined) return { id, redirectUri, notes: [] };
  }
  const id = "postern";
  const [first] = redirectUris;
  if (first === undefined) return { id, notes: [] };
  if (isNew) return { id, notes: [`redirect URI: ${origin}${path(id)}`] };
  const example = (/^https?:/.test(first) ? new URL(first).origin : origin) + path(id);
  return {
    id,
    notes: [`${library} takes the answer at ${path(id)}: add ${example} to redirect_uris, beside ${first}`],
  };
}
