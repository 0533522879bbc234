/** The ID token hint: the server answers only for the person of that ID token (OpenID Connect Core §3.1.2.1). */

import type { Feature } from "../oauth/contracts/feature.ts";
import { readIdTokenHint } from "../oauth/tokens/issued_id_token.ts";

const spec = "OpenID Connect Core §3.1.2.1";

export function idTokenHint(): Feature {
  return {
    name: "id_token_hint",
    spec,
    requestParams: [{
      name: "id_token_hint",
      async read(text, services) {
        const hint = await readIdTokenHint(text, spec, services);
        return { requiredSub: hint.sub };
      },
    }],
  };
}
