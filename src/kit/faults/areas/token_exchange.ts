/** Wrong responses to a token exchange (RFC 8693 §2.2). */

import type { Members } from "../../../ground/values/members.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { answerGrant, changeTokens, refusalAnswer, removing, setting } from "../changes.ts";
import { any, exchangesToken, tokenExchangeGrantType, usesAccessToken, usesReceivedToken } from "../finds.ts";
import type { CreateActs } from "../misbehaviour.ts";

export const tokenExchange: FaultsOf<"token_exchange"> = faultsOf("token_exchange", {
  level: "hardening",
  phase: "call_api",
  needs: ["token_exchange"],
  watch: { never: usesReceivedToken, invisible: true },
}, {
  issued_type_missing: {
    server: "The response to a token exchange has no issued_token_type.",
    client: "Refuses the token, because its type is unknown.",
    rule: "RFC 8693 §2.2.1: the member is required, but no rule says what a client does without it",
    acts: changeExchanged(removing("issued_token_type")),
  },
  issued_type_other: {
    server: "The response to a token exchange says that the new token is a SAML assertion.",
    client: "Refuses the token, because it has not asked for this type.",
    rule: "RFC 8693 §2.2.1: the member is required, but no rule says what a client does with another type",
    acts: changeExchanged(setting({ issued_token_type: "urn:ietf:params:oauth:token-type:saml2" })),
  },
  not_an_access_token: {
    level: "must",
    server:
      "The response to a token exchange says by the token_type N_A that the new token is no access token.",
    client: "Does not send the token to an API.",
    rule: "RFC 8693 §2.2.1; RFC 6749 §7.1",
    watch: { never: usesReceivedToken },
    acts: changeExchanged(setting({ token_type: "N_A" })),
  },
  refused: {
    server: "The token endpoint refuses the exchange with invalid_target.",
    client: "Reports the error. It sends neither the same request again nor the first token to the API.",
    rule: "RFC 8693 §2.2.2; RFC 6749 §5.2: no rule forbids it",
    watch: { never: any(exchangesToken, usesAccessToken) },
    acts: answerGrant(tokenExchangeGrantType, refusalAnswer("invalid_target", "The API is unknown")),
  },
  scope_more: {
    server: "A token exchange grants a scope for which the client has not asked.",
    client: "Refuses the response, or reports the additional scope.",
    rule: "RFC 8693 §2.2.1; RFC 6749 §5.1",
    watch: { invisible: true },
    acts: changeExchanged((members) => ({ ...members, scope: `${members["scope"]} admin` })),
  },
});

/** Changes the responses to token exchanges. The others have no `issued_token_type`. */
function changeExchanged(change: (members: Members) => Members): CreateActs {
  return changeTokens((members) => members["issued_token_type"] === undefined ? members : change(members));
}
