/** The claims parameter: requests individual claims by name (OpenID Connect Core §5.5). */

import type { AccessRequest } from "../../oauth/contracts/authorization_request.ts";
import { readCarried } from "../../oauth/contracts/feature_values.ts";
import type { Feature } from "../../oauth/contracts/feature.ts";
import { isPersonal, namesOfScopes, requestedClaimsKey } from "../../oauth/people/claims.ts";
import { readClaims } from "./read_claims.ts";

export function claimsParameter(): Feature {
  return {
    name: "claims_parameter",
    spec: "OpenID Connect Core §5.5",
    requestParams: [{ name: "claims", read: readClaims }],
    carries: [requestedClaimsKey],
    consentRows: [{ name: "claims", list: listClaims }],
    metadata: { claims_parameter_supported: true },
  };
}

function listClaims(request: AccessRequest): readonly string[] {
  const claims = readCarried(request, requestedClaimsKey);
  const covered = new Set(namesOfScopes(request.scope));
  const requested = new Set([...claims?.userinfo ?? [], ...claims?.idToken ?? []]);
  return [...requested].filter((name) => !covered.has(name) && isPersonal(name));
}
