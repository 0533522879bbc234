/** The ID token hint: the server answers only for the person of that ID token (OpenID Connect Core §3.1.2.1). */

import { fail } from "../oauth/error.ts";
import type { Feature } from "../oauth/feature.ts";
import { readIssuedIdToken } from "../oauth/tokens/issued_id_token.ts";

export type IdTokenHintReason = "hint_not_ours";

export function idTokenHint(): Feature {
  return {
    name: "id_token_hint",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [{
      name: "id_token_hint",
      async read(text, services) {
        const hint = await readIssuedIdToken(text, services);
        if (hint === undefined) {
          fail<IdTokenHintReason>("invalid_request", "The id_token_hint was not issued here", {
            reason: "hint_not_ours",
            spec: "OpenID Connect Core §3.1.2.1",
          });
        }
        return { requiredSub: hint.sub };
      },
    }],
  };
}
