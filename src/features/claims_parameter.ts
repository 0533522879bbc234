/** The claims parameter: requests individual claims by name (OpenID Connect Core §5.5). */

import type { AccessRequest } from "../oauth/authorization/asking/contract.ts";
import { carry, readCarried } from "../oauth/carried.ts";
import type { Feature } from "../oauth/feature.ts";
import {
  type AcrRequest,
  isPersonal,
  namesOfScopes,
  readRequestedClaims,
  requestedClaimsKey,
} from "../oauth/people/claims.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";
import type { Settings } from "../oauth/settings.ts";
import { present } from "../present.ts";

const refusal = refusals({
  acr_unmet: {
    error: "unmet_authentication_requirements",
    spec: "OpenID Connect Core Error Code unmet_authentication_requirements 1.0 §1",
    sentence: "This server supports none of the essential acr values",
    expected: "one of the server's acrValues",
    change: "Ask for an acr value that the server supports, or make it voluntary.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function claimsParameter(): Feature {
  return {
    name: "claims_parameter",
    spec: "OpenID Connect Core §5.5",
    requestParams: [{
      name: "claims",
      read(text, { settings }) {
        const { claims, acr: requestedAcr } = readRequestedClaims(text);
        const acr = requestedAcr && findAcr(requestedAcr, settings);
        return {
          carried: carry(requestedClaimsKey, { ...claims, ...present({ acr }) }),
          ...present({ requiredSub: claims.subject }),
        };
      },
    }],
    carries: [requestedClaimsKey],
    consentRows: [{ name: "claims", list: listClaims }],
    metadata: { claims_parameter_supported: true },
  };
}

/** Returns the personal claims that the request names beyond the claims of its scopes. */
function listClaims(request: AccessRequest): readonly string[] {
  const claims = readCarried(request, requestedClaimsKey);
  const covered = new Set(namesOfScopes(request.scope));
  const requested = new Set([...claims?.userinfo ?? [], ...claims?.idToken ?? []]);
  return [...requested].filter((name) => !covered.has(name) && isPersonal(name));
}

/**
 * Returns the first requested acr value that the configuration has (§5.5.1.1). A request without values gets the first
 * acr value of the configuration. If the configuration has none of the requested values, the server refuses an
 * essential request and ignores a voluntary one.
 */
function findAcr({ isEssential, values }: AcrRequest, { acrValues }: Settings): string | undefined {
  if (values.length === 0) return acrValues[0];
  const supported = values.find((value) => acrValues.includes(value));
  if (supported === undefined && isEssential) {
    throw refusal("acr_unmet", {
      expected: acrValues.join(" ") || "no essential acr in the request, or acrValues in the configuration",
      received: values.join(" "),
    });
  }
  return supported;
}
