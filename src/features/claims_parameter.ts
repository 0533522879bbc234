/** The claims parameter: single claims asked for by name (OpenID Connect Core §5.5). */

import { readRequestedClaims } from "../oauth/claims.ts";
import { fail } from "../oauth/error.ts";
import type { Feature } from "../oauth/feature.ts";

export type ClaimsParameterReason = "acr_unmet";

export function claimsParameter(): Feature {
  return {
    name: "claims_parameter",
    spec: "OpenID Connect Core §5.5",
    requestParams: [{
      name: "claims",
      read(text) {
        const claims = readRequestedClaims(text);
        if (claims.essentialAcr !== undefined) {
          fail<ClaimsParameterReason>("access_denied", "None of the essential acr values can be met here", {
            reason: "acr_unmet",
            spec: "OpenID Connect Core §5.5.1.1",
            received: claims.essentialAcr.join(" "),
          });
        }
        return { claims, ...(claims.subject === undefined ? {} : { requiredSub: claims.subject }) };
      },
    }],
    metadata: { claims_parameter_supported: true },
  };
}
