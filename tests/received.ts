/** Every refusal says what the server received, except for these: nothing was sent, or it is not shown. */

import { assert } from "@std/assert";
import type { Refusal } from "../src/mod.ts";

const withoutReceived: ReadonlySet<string> = new Set(
  [
    "actor_type_alone actor_type_missing already_approved already_denied another_person_signed_in",
    "assertion_replayed assertion_too_long assertion_without_jti authorization_header_unreadable",
    "basic_secret_empty body_encoded body_not_utf8 body_too_large challenge_lost",
    "challenge_method_alone claims_about_two claims_malformed claims_missing client_document_invalid",
    "client_id_missing code_revoked details_malformed details_not_an_array details_not_granted",
    "details_type_missing device_code_used device_login_denied device_login_expired",
    "device_login_pending dpop_header_repeated dpop_malformed dpop_replayed dpop_signature",
    "encryption_key_missing exchange_actor_missing exchange_actor_unnamed",
    "exchange_offline_access_alone exchange_target_missing exchanged_id_token_without_grant",
    "failed_by_test form_not_ours grant_contended hint_encrypted hint_not_ours id_jag_claim_missing",
    "id_jag_without_person introspects_unnamed issuer_differs jwt_grant_audience jwt_grant_expired",
    "jwt_grant_keys_unavailable jwt_grant_replayed line_not_requested made_up malformed_encoding",
    "no_person_to_sign_in other_port path_similar path_unknown post_logout_uri_without_client",
    "public_client_exchanges public_client_for_itself pushed_request_unknown pushed_request_used",
    "pushed_requests_full query_beside_form redirect_uri_missing redirect_uri_none_registered",
    "refresh_expired refresh_revoked refresh_token_as_actor refresh_unknown refused_by_rule",
    "registration_not_object registration_token_missing request_object_encrypted",
    "request_object_not_jwt request_object_too_long request_object_unsigned request_too_long",
    "response_type_missing route_hides_look_alike route_unknown scope_malformed scope_of_nobody",
    "server_closed server_not_trusted sign_out_form_not_ours sign_up_busy sign_up_too_many signature_wrong",
    "software_statement_malformed software_statement_signature start_too_long store_too_slow",
    "store_unavailable store_unreadable token_expired token_key_unproven token_lacks_scope",
    "token_malformed token_missing token_not_bound token_not_yet_valid token_of_another_type",
    "token_of_same_type token_of_unknown_key token_twice token_unreadable token_without_person",
    "too_many_at_once too_many_attempts too_many_device_logins too_many_dpop_proofs too_many_failures",
    "too_many_from_one_address too_many_parameters too_many_pushed_requests too_many_user_codes",
    "too_many_waiting too_many_waiting_requests two_request_sources two_subjects unexpected_error",
    "unknown_person url_too_long user_code_expired user_code_missing user_code_wrong user_denied",
    "verifier_without_challenge walk_field_too_long walk_form_not_ours walk_form_too_old walk_gone",
    "walk_not_found walk_step_unknown workload_audience_repeated",
  ].flatMap((line) => line.split(" ")),
);

/** Returns the refusal of a request, which must say what the server received. */
export function requireReceived<Of extends Refusal | undefined>(refusal: Of): Of {
  const isComplete = refusal === undefined || refusal.received !== undefined ||
    withoutReceived.has(refusal.reason);
  assert(isComplete, `The refusal ${refusal?.reason} does not say what was received`);
  return refusal;
}
