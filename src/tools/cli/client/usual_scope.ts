/** The scopes that a login requests by default: those for the claims of the person, and those of the APIs. */

import { claimsOfScope } from "../../../server/oauth/people/claims.ts";

/** With these scopes the client gets an ID token, and the person's name and email address. */
export const personScopes: readonly string[] = ["openid", "profile", "email"];

const scopesOfOpenid: readonly string[] = ["openid", ...Object.keys(claimsOfScope), "offline_access"];

export function findApiScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((name) => !scopesOfOpenid.includes(name));
}
