/** Finds the redirect URI of an application whose library decides the path, or that serves the path itself. */

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
): {
  readonly id: string;
  readonly redirectUri?: string;
  /** The origin of the application, if people can sign in to it. */
  readonly origin?: string;
  readonly notes: readonly string[];
} {
  for (const redirectUri of redirectUris) {
    const [, id] = pattern.exec(redirectUri) ?? [];
    if (id !== undefined) return { id, redirectUri, origin: new URL(redirectUri).origin, notes: [] };
  }
  const id = "postern";
  const [first] = redirectUris;
  if (first === undefined) return { id, notes: [] };
  if (isNew) return { id, origin, notes: [`redirect URI: ${origin}${path(id)}`] };
  const own = /^https?:/.test(first) ? new URL(first).origin : origin;
  const example = own + path(id);
  return {
    id,
    origin: own,
    notes: [
      `${library} receives the answer at ${path(id)}: add ${example} to redirect_uris, beside ${first}`,
    ],
  };
}

/** Returns the first redirect URI over HTTP, and where a program serves it. An app has others, which no program can serve. */
export function findServedAddress(
  { redirectUris }: Application,
  program: string,
): {
  readonly redirectUri: string;
  readonly path: string;
  readonly port: string;
  readonly notes: readonly string[];
} {
  const found = redirectUris.find((uri) => /^https?:/.test(uri));
  const redirectUri = found ?? "http://localhost:3000/callback";
  return {
    redirectUri,
    path: new URL(redirectUri).pathname,
    port: portOf(redirectUri),
    notes: found !== undefined ? [] : [
      `${program} receives the answer over HTTP: add ${redirectUri} to redirect_uris, beside ${
        redirectUris[0]
      }`,
    ],
  };
}

/** The port on which a program serves a URL. A proxy receives https, and passes the requests on. */
export function portOf(url: string): string {
  const { port, protocol } = new URL(url);
  return port || (protocol === "https:" ? "8000" : "80");
}
