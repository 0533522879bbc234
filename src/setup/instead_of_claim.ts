/** What to use for claims that a configuration cannot add, because the server sets them itself. */

export const insteadOfClaim: Readonly<Record<string, string>> = {
  sub: "give people their sub",
  aud: "use tokenClaims, or a resource of the request",
  azp: "use a hook",
  acr: "use acrValues, or a hook",
};
