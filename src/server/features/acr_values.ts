/** The parameter acr_values: the kinds of sign-in that the client prefers (OpenID Connect Core §3.1.2.1). */

import { carry } from "../oauth/contracts/feature_values.ts";
import type { Feature } from "../oauth/contracts/feature.ts";
import { acrKey, supportedAcrs } from "../oauth/people/claims.ts";

export function acrValues(): Feature {
  return {
    name: "acr_values",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [{
      name: "acr_values",
      read(text, services) {
        // The values are a wish, in order of preference. The first that the sign-in satisfies becomes its acr.
        const supported = supportedAcrs(services);
        const acrs = text.split(" ").filter((value) => supported.includes(value)).join(" ");
        return { carried: carry(acrKey, acrs || undefined) };
      },
    }],
    carries: [acrKey],
    metadata: { acr_values_supported: supportedAcrs },
  };
}
