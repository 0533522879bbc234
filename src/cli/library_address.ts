/** Finds the redirect URI of an application whose library decides the path. */

import type { Application } from "./application_terms.ts";

/** The addresses at which a library receives authorization responses. */
export interface LibraryAddress {
  readonly library: string;
  /** Matches such an address. The group is the application's name for this server. */
  readonly pattern: RegExp;
  readonly path: (id: string) => string;
  /** The origin of an application whose redirect URI is not configured yet. */
  readonly origin: string;
}

/** Returns the application's name for this server, a redirect URI that fits the library, and notes for the user. */
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
    notes: [
      `${library} receives the answer at ${path(id)}: add ${example} to redirect_uris, beside ${first}`,
    ],
  };
}
