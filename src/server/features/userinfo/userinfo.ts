/** Userinfo: claims about the person of an access token (OpenID Connect Core §5.3). */

import type { Endpoint, Feature } from "../../oauth/contracts/feature.ts";
import { usualPaths } from "../../oauth/contracts/paths.ts";
import { claimsOfScope } from "../../oauth/people/claims.ts";
import { showPerson, userinfoJwt } from "./show_person.ts";

export function userinfo(): Feature<"userinfo"> {
  const endpoint: Omit<Endpoint<"userinfo">, "method"> = {
    name: "userinfo",
    path: usualPaths.userinfo,
    metadataName: "userinfo_endpoint",
    refusal: "json",
    cors: true,
    handle: showPerson,
  };
  return {
    name: "userinfo",
    spec: "OpenID Connect Core §5.3",
    scopes: Object.keys(claimsOfScope),
    endpoints: [{ method: "GET", ...endpoint }, { method: "POST", ...endpoint }],
    clientMembers: [userinfoJwt.algMember, ...userinfoJwt.encryptionMembers],
    metadata: {
      ...userinfoJwt.metadata,
      claims_supported: ({ settings: { claimsIn, tokenClaims } }) => [
        ...new Set([
          "sub",
          ...Object.values(claimsOfScope).flat(),
          ...claimsIn.idToken,
          ...claimsIn.userinfo,
          ...tokenClaims.flatMap(({ claims }) => Object.keys(claims)),
        ]),
      ],
    },
  };
}
