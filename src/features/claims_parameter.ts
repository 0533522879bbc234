/** The claims parameter: requests single claims by name (OpenID Connect Core §5.5). */

import { fail } from "../oauth/error.ts";
import type { Feature } from "../oauth/feature.ts";
import { type AcrRequest, readRequestedClaims } from "../oauth/people/claims.ts";
import type { Settings } from "../oauth/settings.ts";

export type ClaimsParameterReason = "acr_unmet";

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
          claims: { ...claims, ...(acr === undefined ? {} : { acr }) },
          ...(claims.subject === undefined ? {} : { requiredSub: claims.subject }),
        };
      },
    }],
    metadata: { claims_parameter_supported: true },
  };
}

/** §5.5.1.1: returns a supported acr value. If none is supported, an essential request fails; others are ignored. */
function findAcr({ isEssential, values }: AcrRequest, { acrValues }: Settings): string | undefined {
  if (values.length === 0) return acrValues[0];
  const met = values.find((value) => acrValues.includes(value));
  if (met === undefined && isEssential) {
    fail<ClaimsParameterReason>(
      "unmet_authentication_requirements",
      "None of the essential acr values can be met here",
      {
        reason: "acr_unmet",
        spec: "OpenID Connect Core Error Code unmet_authentication_requirements 1.0 §1",
        expected: acrValues.join(" ") || "no essential acr, or acrValues in the configuration",
        received: values.join(" "),
      },
    );
  }
  return met;
}
