/** How a person signed in, in the words of a client: acr_values (OpenID Connect Core §3.1.2.1). */

import type { Feature } from "../oauth/feature.ts";

export function acrValues(): Feature {
  return {
    name: "acr_values",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [{
      name: "acr_values",
      read(text, { settings }) {
        // A wish, in the order of preference: the first value that the server knows is the answer.
        const acr = text.split(" ").find((value) => settings.acrValues.includes(value));
        return acr === undefined ? {} : { acr };
      },
    }],
    metadata: { acr_values_supported: ({ settings }) => settings.acrValues },
  };
}
