/** The parameter acr_values: the kinds of sign-in that the client prefers (OpenID Connect Core §3.1.2.1). */

import { carry } from "../oauth/contracts/feature_values.ts";
import type { Feature } from "../oauth/contracts/feature.ts";
import { acrKey } from "../oauth/people/claims.ts";

export function acrValues(): Feature {
  return {
    name: "acr_values",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [{
      name: "acr_values",
      read(text, { settings }) {
        // The values are a wish, in order of preference. The first supported value becomes the acr of the sign-in.
        const acr = text.split(" ").find((value) => settings.acrValues.includes(value));
        return { carried: carry(acrKey, acr) };
      },
    }],
    carries: [acrKey],
    metadata: { acr_values_supported: ({ settings }) => settings.acrValues },
  };
}
