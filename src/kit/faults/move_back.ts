/** Makes the claims of a token older. */

import type { Claims } from "../../ground/values/members.ts";

/** Moves all times in the claims back by the same number of seconds, so that `exp` is not after `end`. */
export function moveBack(claims: Claims, end: number): Claims {
  const { exp } = claims;
  if (typeof exp !== "number" || exp <= end) return claims;
  const moved = ["iat", "nbf", "exp", "auth_time"].flatMap((name) => {
    const time = claims[name];
    return typeof time === "number" ? [[name, time - exp + end]] : [];
  });
  return { ...claims, ...Object.fromEntries(moved) };
}
