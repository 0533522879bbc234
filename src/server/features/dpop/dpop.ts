/** DPoP: a client binds its tokens to a key, and proves the key in each request (RFC 9449). */

import { acceptedAlgorithmsMember } from "../../oauth/clients/accepted_algorithms.ts";
import { memberOf } from "../../oauth/clients/client_member.ts";
import type { ClientMember, Feature, RequestParam } from "../../oauth/feature.ts";
import type { FeatureTerms } from "../../oauth/feature_terms.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import { describeValue } from "../../schema/received.ts";
import { createDpopProver } from "./prove_dpop.ts";

const refusal = refusals({
  dpop_jkt_malformed: {
    error: "invalid_request",
    spec: "RFC 9449 §10",
    sentence: "The parameter dpop_jkt is not the thumbprint of a key",
    expected: "a SHA-256 thumbprint (RFC 7638) in base64url, which has 43 characters",
    change: "Set dpop_jkt to the SHA-256 thumbprint of the key (RFC 7638), which has 43 characters.",
  },
});

export const refused: RefusalRows = refusal.rows;

const boundTokens: ClientMember<boolean> = {
  name: "dpop_bound_access_tokens",
  schema: { type: "boolean" },
};

/** The member of the claim `cnf` (RFC 9449 §6). */
const method = "jkt";

const dpopJkt: RequestParam = {
  name: "dpop_jkt",
  read(thumbprint) {
    if (/^[\w-]{43}$/.test(thumbprint)) return { confirmation: { method, thumbprint } };
    throw refusal("dpop_jkt_malformed", { received: describeValue(thumbprint) });
  },
};

/** `mostRemembered` bounds the used proofs that the server remembers. A proof is remembered for a few minutes. */
export function dpop(
  { dpop, mostRemembered = 100_000 }: FeatureTerms & { readonly mostRemembered?: number } = {},
): Feature {
  const prove = createDpopProver(mostRemembered);
  return {
    name: "dpop",
    spec: "RFC 9449",
    isOff: dpop === false,
    clientMembers: [boundTokens, acceptedAlgorithmsMember],
    senderProofs: [{
      name: method,
      tokenType: "DPoP",
      presentedIn: "the header DPoP",
      requestParam: dpopJkt.name,
      isRequired: (client, { settings }) => settings.dpop.required || memberOf(client, boundTokens) === true,
      challengeParams: ({ settings }) => ({ algs: settings.dpop.algorithms.join(" ") }),
      // It is not async, because a request without a proof must cost nothing.
      prove(exchange, terms, services) {
        const text = exchange.request.header("dpop");
        return text === undefined ? undefined : prove(text, terms, exchange, services);
      },
    }],
    requestParams: [dpopJkt],
    metadata: { dpop_signing_alg_values_supported: ({ settings }) => settings.dpop.algorithms },
  };
}
