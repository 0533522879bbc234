/** Wrong responses to a token exchange (RFC 8693 §2.2). */

import type { Members } from "../../../ground/values/members.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { answerGrant, changeTokens, jsonAnswer } from "../changes.ts";
import type { Acts } from "../misbehaviour.ts";
import { any, exchangesToken, tokenExchangeGrantType, usesAccessToken, usesReceivedToken } from "../seen.ts";

export const tokenExchange: FaultsOf<"token_exchange"> = faultsOf("token_exchange", {
  phase: "call_api",
  needs: ["token_exchange"],
}, {
  issued_type_missing: {
    level: "hardening",
    server: "The response to a token exchange has no issued_token_type.",
    client: "Refuses the token, because its type is unknown.",
    rule: "RFC 8693 §2.2.1: the member is required, but no rule says what a client does without it",
    watch: { never: usesReceivedToken, invisible: true },
    acts: () => changeExchanged((members) => without(members, "issued_token_type")),
  },
  issued_type_other: {
    level: "hardening",
    server: "The response to a token exchange says that the new token is a SAML assertion.",
    client: "Refuses the token, because it has not asked for this type.",
    rule: "RFC 8693 §2.2.1: the member is required, but no rule says what a client does with another type",
    watch: { never: usesReceivedToken, invisible: true },
    acts: () =>
      changeExchanged((members) => ({
        ...members,
        issued_token_type: "urn:ietf:params:oauth:token-type:saml2",
      })),
  },
  not_an_access_token: {
    level: "must",
    server:
      "The response to a token exchange says by the token_type N_A that the new token is no access token.",
    client: "Does not send the token to an API.",
    rule: "RFC 8693 §2.2.1; RFC 6749 §7.1",
    watch: { never: usesReceivedToken },
    acts: () => changeExchanged((members) => ({ ...members, token_type: "N_A" })),
  },
  refused: {
    level: "hardening",
    server: "The token endpoint refuses the exchange with invalid_target.",
    client: "Reports the error. It sends neither the same request again nor the first token to the API.",
    rule: "RFC 8693 §2.2.2; RFC 6749 §5.2: no rule forbids it",
    watch: { never: any(exchangesToken, usesAccessToken) },
    acts: () =>
      answerGrant(
        tokenExchangeGrantType,
        () => jsonAnswer(400, { error: "invalid_target", error_description: "The API is unknown" }),
      ),
  },
  scope_more: {
    level: "hardening",
    server: "A token exchange grants a scope for which the client has not asked.",
    client: "Refuses the response, or reports the additional scope.",
    rule: "RFC 8693 §2.2.1; RFC 6749 §5.1",
    watch: { invisible: true },
    acts: () => changeExchanged((members) => ({ ...members, scope: `${members["scope"]} admin` })),
  },
});

/** Changes the responses to token exchanges. The others have no `issued_token_type`. */
function changeExchanged(change: (members: Members) => Members): Acts {
  return changeTokens((members) => members["issued_token_type"] === undefined ? members : change(members));
}
