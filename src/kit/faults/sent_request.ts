/** Reads what a client sent in its authorization request. */

import { parseJwt } from "../../server/crypto/jwt_parts.ts";

/** Returns a parameter. `undefined`: the request does not have it. */
export type Sent = (name: string) => string | undefined;

/**
 * `find` returns what stands in the query or the form. Returns `undefined` if the parameters are elsewhere: in a request
 * that the client pushed, in an earlier page of the login, or in an encrypted request object.
 */
export function readSent(find: Sent): Sent | undefined {
  if (["request_uri", "continue"].some((name) => find(name) !== undefined)) return undefined;
  const object = find("request");
  if (object === undefined) return find;
  // No parameter outside of the request object counts (RFC 9101 §6.3).
  const claims = parseJwt(object)?.claims;
  return claims && ((name) => {
    const value = claims[name];
    return typeof value === "string" ? value : undefined;
  });
}
