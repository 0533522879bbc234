/** Finds the issuer of a request where several issuers are side by side: `/default/token`, `/other/token`. */

import { assetsPath, type PathProfile, paths } from "../../server/oauth/contracts/paths.ts";

/** The form of an issuer's name, which is one segment of a path. Names of records contain it, so its length is limited. */
export const issuerName: RegExp = /^[a-z0-9][a-z0-9_-]{0,99}$/i;

const metadataPath = /^\/\.well-known\/(openid-configuration|oauth-authorization-server)$/;

/** `parent` is the path before the names. Pages name no issuer, because people reach them from an endpoint. */
export function findIssuerName(path: string, parent: string, { paths }: PathProfile): string | undefined {
  // RFC 8414 §3.1: the path of the issuer may follow the well-known path.
  const [, wellKnown = "", rest = path] = /^(\/\.well-known\/[^/]+)(\/.+)$/.exec(path) ?? [];
  const complete = rest + wellKnown;
  if (!complete.startsWith(`${parent}/`)) return undefined;
  const [, name = "", endpoint = ""] = /^\/([^/]+)(\/.+)$/.exec(complete.slice(parent.length)) ?? [];
  const isEndpoint = Object.values(paths).includes(endpoint) || metadataPath.test(endpoint);
  return isEndpoint && issuerName.test(name) ? name : undefined;
}

/** Returns the path without a well-known one, which stands before that of the issuer (RFC 8414 §3.1, RFC 9728 §3.1). */
export function withoutWellKnown(path: string): string {
  return path.replace(/^\/\.well-known\/[^/]*/, "");
}

/** Returns the segment of a path after `parent`, where issuers side by side have their names. */
export function segmentBelow(parent: string, path: string): string | undefined {
  return path.startsWith(`${parent}/`) ? path.slice(parent.length).split("/")[1] : undefined;
}

/** Returns the first segments of a server's own paths. An issuer below the server with such a name would hide them. */
export function listReservedNames(
  { paths: moved, healthPath = paths.health }: PathProfile,
): readonly string[] {
  const all = [...Object.values(paths), ...Object.values(moved), healthPath, assetsPath];
  return [...new Set(all.map((path) => path.split("/")[1]!))];
}

/** Returns the name of an issuer that would hide the demo resource. `parent` is the path before the names. */
export function listDemoResourceNames(parent: string, demoResource: string | undefined): readonly string[] {
  const name = demoResource === undefined ? undefined : segmentBelow(parent, demoResource);
  return name === undefined ? [] : [name];
}
