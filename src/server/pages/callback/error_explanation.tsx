/** Explains an error code: what it means, what usually causes it, what to change, and the rule. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { Fact } from "../parts.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { english as words } from "../words/english.ts";

/** The sections that define the codes. A Map, because a response may name any text as its error. */
const rules: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "RFC 6749 §4.1.2.1": [
      ...["invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type"],
      ...["invalid_scope", "server_error", "temporarily_unavailable"],
    ],
    "OpenID Connect Core §3.1.2.6": [
      ...["interaction_required", "login_required", "account_selection_required", "consent_required"],
      ...["request_not_supported", "request_uri_not_supported", "registration_not_supported"],
    ],
    "RFC 9101 §7, RFC 9126 §4": ["invalid_request_uri"],
    "RFC 9101 §7": ["invalid_request_object"],
    "RFC 8707 §2": ["invalid_target"],
    "RFC 9470 §5": ["unmet_authentication_requirements"],
    "RFC 9396 §5": ["invalid_authorization_details"],
    "RFC 6749 §5.2": ["invalid_client", "invalid_grant", "unsupported_grant_type"],
    "RFC 6750 §3.1": ["invalid_token", "insufficient_scope"],
    "RFC 9449 §5": ["invalid_dpop_proof"],
    "RFC 9449 §8": ["use_dpop_nonce"],
  }).flatMap(([rule, codes]) => codes.map((code) => [code, rule] as const)),
);

interface ErrorExplanationProps {
  /** `undefined`: there is neither a code nor an error. */
  readonly code: string | undefined;
  readonly isDescribed?: boolean;
  /** The values that the server accepts in the parameter that the error is about. */
  readonly accepted?: readonly string[] | undefined;
}

export function ErrorExplanation({ code, isDescribed, accepted = [] }: ErrorExplanationProps): VNode {
  const explanation = code === undefined ? words.errors.noResponse : words.errors.explain(code);
  const rule = rules.get(code ?? "");
  return (
    <section aria-labelledby="meaning-heading" id="meaning">
      <h2 id="meaning-heading">
        {code === undefined ? words.errors.noResponseHeading : words.errors.heading}
      </h2>
      {explanation === undefined ? <p>{words.errors.unknown}</p> : (
        <dl class="facts">
          {!isDescribed && <Fact term={words.errors.meaning}>{explanation.meaning}</Fact>}
          <Fact term={words.errors.cause}>{explanation.cause}</Fact>
          <Fact term={words.errors.change}>{explanation.change}</Fact>
          {accepted.length > 0 && (
            <Fact term={words.errors.accepted}>
              <code id="accepted">{accepted.join(" ")}</code>
            </Fact>
          )}
          {rule !== undefined && (
            <Fact term={words.walk.rule}>
              <RuleLinks rules={rule} />
            </Fact>
          )}
        </dl>
      )}
    </section>
  );
}
