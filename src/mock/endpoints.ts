/** The places that a request can go to, by name: what a test asks for, a gate stands before, and the journal sorts by. */

import { paths } from "../oauth/paths.ts";
import { describeValue } from "../schema/received.ts";

/** Every place that a request can go to. */
export const endpointNames = [
  "authorize",
  "token",
  "userinfo",
  "introspect",
  "revoke",
  "jwks",
  "metadata",
  "sign_in",
  "consent",
  "account",
  "logout",
  "page",
] as const;

/** Where a request went, in one word. `page` is all the rest: pages and what they are made of, preflights, nowhere. */
export type EndpointName = typeof endpointNames[number];

const endpointPaths: ReadonlyMap<string, EndpointName> = new Map<string, EndpointName>([
  [paths.authorize, "authorize"],
  [paths.token, "token"],
  [paths.userinfo, "userinfo"],
  [paths.introspect, "introspect"],
  [paths.revoke, "revoke"],
  [paths.jwks, "jwks"],
  [paths.signIn, "sign_in"],
  [paths.consent, "consent"],
  [paths.account, "account"],
  [paths.logout, "logout"],
]);

const wellKnown: readonly string[] = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
];

export function nameEndpoint(
  { method, path }: { readonly method: string; readonly path: string },
  basePath: string,
): EndpointName {
  // A preflight asks whether the real request may come: it is not one itself.
  if (method === "OPTIONS") return "page";
  // RFC 8414 §3.1: a well-known path stands before the issuer's own. Discovery §4: or behind it.
  if (wellKnown.some((each) => path === each + basePath || path === basePath + each)) return "metadata";
  return path.startsWith(basePath) ? endpointPaths.get(path.slice(basePath.length)) ?? "page" : "page";
}

/** `doing` leads to the name: "hold requests to". */
export function requireEndpoint(name: unknown, doing: string): void {
  if (endpointNames.some((each) => each === name)) return;
  throw new TypeError(
    `Cannot ${doing} ${describeValue(name)}: expected one of ${endpointNames.join(", ")}`,
  );
}
