/** The ID token hint: the server answers only for the person of that ID token (OpenID Connect Core §3.1.2.1). */

import type { Feature } from "../oauth/feature.ts";
import { type RefusalRows, refusals } from "../oauth/refusals.ts";
import { readIssuedIdToken } from "../oauth/tokens/issued_id_token.ts";

const refusal = refusals({
  hint_not_ours: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "The id_token_hint was not issued here",
    change: "Send an ID token that this server issued as id_token_hint, or leave it out.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function idTokenHint(): Feature {
  return {
    name: "id_token_hint",
    spec: "OpenID Connect Core §3.1.2.1",
    requestParams: [{
      name: "id_token_hint",
      async read(text, services) {
        const hint = await readIssuedIdToken(text, services);
        if (hint === undefined) throw refusal("hint_not_ours");
        return { requiredSub: hint.sub };
      },
    }],
  };
}
