"""What the calls take and return.

``deno task kits`` makes this file from the rows of the control plane: do not edit it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

VERSION = "0.1.0"

Json: TypeAlias = dict[str, Any]

Duration: TypeAlias = timedelta | float | str
"""A timedelta, seconds, or a text such as "2h"."""

Moment: TypeAlias = datetime | float | str
"""A datetime with a time zone, seconds since 1970, or an ISO text with a time zone."""

EndpointName: TypeAlias = Literal[
    "authorize",
    "par",
    "sign_in",
    "sign_up",
    "second_factor",
    "account",
    "consent",
    "token",
    "register",
    "device_authorization",
    "device_verification",
    "userinfo",
    "revoke",
    "introspect",
    "logout",
    "jwks",
    "metadata",
    "resource",
    "page",
]
"""The endpoint. page: the pages, their files, preflights, and paths that the server does not know."""

HookName: TypeAlias = Literal[
    "metadata",
    "jwks",
    "authorization_response",
    "token_response",
    "access_token",
    "id_token",
    "userinfo",
    "introspection",
    "logout_token",
    "id_jag",
    "jwt",
    "signed",
    "response",
]
"""The value to change."""

ForgeryName: TypeAlias = Literal[
    "access_token.acr_weak",
    "access_token.alg_missing",
    "access_token.alg_none",
    "access_token.audience_empty",
    "access_token.audience_issuer",
    "access_token.audience_list",
    "access_token.audience_missing",
    "access_token.audience_slash",
    "access_token.audience_wrong",
    "access_token.auth_time_old",
    "access_token.certificate_embedded",
    "access_token.claim_twice",
    "access_token.claims_tampered",
    "access_token.claims_unknown",
    "access_token.client_id_missing",
    "access_token.crit_unknown",
    "access_token.encrypted_unsigned",
    "access_token.expired",
    "access_token.expired_after_use",
    "access_token.expired_minutes_ago",
    "access_token.expiry_huge",
    "access_token.expiry_missing",
    "access_token.expiry_text",
    "access_token.hs256_alg_unpublished",
    "access_token.hs256_alg_unpublished_other_type",
    "access_token.hs256_with_public_key",
    "access_token.huge",
    "access_token.id_missing",
    "access_token.id_token_instead",
    "access_token.issued_at_missing",
    "access_token.issued_in_future",
    "access_token.issuer_list",
    "access_token.issuer_missing",
    "access_token.issuer_part",
    "access_token.issuer_slash",
    "access_token.issuer_wrong",
    "access_token.key_alg_other",
    "access_token.key_by_url",
    "access_token.key_embedded",
    "access_token.key_operations_other",
    "access_token.key_other",
    "access_token.key_replaced",
    "access_token.key_use_enc",
    "access_token.key_withdrawn",
    "access_token.keys_unavailable",
    "access_token.kid_missing",
    "access_token.kid_odd",
    "access_token.kid_unknown",
    "access_token.kid_unknown_many",
    "access_token.kid_unusual",
    "access_token.long",
    "access_token.nested_deeply",
    "access_token.not_before_text",
    "access_token.not_yet_valid",
    "access_token.revoked",
    "access_token.scope_missing",
    "access_token.serialized_as_json",
    "access_token.signature_alphabet",
    "access_token.signature_bad",
    "access_token.signature_missing",
    "access_token.signature_zero",
    "access_token.similar_to_accepted",
    "access_token.subject_missing",
    "access_token.subject_similar",
    "access_token.two_issuers_one_kid",
    "access_token.type_full",
    "access_token.type_missing",
    "access_token.type_wrong",
    "access_token.unreadable",
    "access_token.valid_in_a_moment",
]
"""The fault of the token."""

GateKind: TypeAlias = Literal[
    "hold",
    "delay",
    "fail",
    "drop",
]
"""hold: requests wait for a release. delay: requests wait for a time. fail: requests get an error
before the server handles them. drop: the server handles the requests, and the responses are
lost.
"""

TimelineForm: TypeAlias = Literal[
    "text",
    "jsonl",
    "har",
    "mermaid",
    "html",
]
"""The format. Default: text."""

MisbehaviourArea: TypeAlias = Literal[
    "metadata",
    "keys",
    "login",
    "authorization_response",
    "jarm",
    "token_response",
    "id_token",
    "userinfo",
    "access_token",
    "refresh",
    "authorization_details",
    "token_exchange",
    "introspection",
    "revocation",
    "logout",
    "registration",
    "client_document",
    "pushed_request",
    "device",
    "dpop",
    "mtls",
    "proof",
    "certificate",
    "resource",
    "transport",
]
"""Where the server is wrong."""

Level: TypeAlias = Literal[
    "must",
    "should",
    "tolerate",
    "robustness",
    "hardening",
]
"""What a standard says about it. must and should: the client has to notice. tolerate: the server is
only unusual, and the client has to go on. robustness: a correct client goes on, but no rule says
so. hardening: it is wise to notice, but no rule says so.
"""

ClientSubjectType: TypeAlias = Literal[
    "public",
    "pairwise",
]
"""pairwise: clients on different hosts get different values of sub for the same person. Default:
public.
"""

ClientOauthVersion: TypeAlias = Literal[
    "2.0",
    "2.1",
]
"""Left out: the authorization request and the token request need redirect_uri. 2.1: the token
request may leave redirect_uri out, and so may the authorization request if the client has only
one redirect URI and the scope lacks openid. 2.0: with require_pkce False, a request with openid
in its scope needs no nonce. (Not a registered name: only this server reads it.)
"""

SigningAlgorithm: TypeAlias = Literal[
    "RS256",
    "PS256",
    "ES256",
    "EdDSA",
]
"""The only algorithm that may sign the client's request objects. Default: any that its keys fit."""

ClientRequestObjectTimes: TypeAlias = Literal[
    "usual",
    "bounded",
]
"""bounded: a request object must have exp and nbf, nbf at most an hour ago and exp at most an hour
after it, and its aud may be a list with the issuer (FAPI 2.0 Message Signing). Default: usual.
(Not a registered name: only this server reads it.)
"""

KeyEncryption: TypeAlias = Literal[
    "RSA-OAEP-256",
    "ECDH-ES",
]
"""Authorization responses as a JWT are encrypted to a key of the client. Default: they are only
signed.
"""

ContentEncryption: TypeAlias = Literal[
    "A128CBC-HS256",
    "A128GCM",
    "A256GCM",
]
"""The algorithm of the content of encrypted authorization responses. Default: A128CBC-HS256."""

ClientSecretBasic: TypeAlias = Literal["encoded"]
"""encoded refuses an id or secret that is not percent-encoded in the header. By default, encoded
and plain ones are accepted. (Not a registered name: only this server reads it.)
"""

ClientAssertionAudience: TypeAlias = Literal[
    "issuer",
    "issuer_string",
    "endpoint",
]
"""endpoint: the aud of an assertion may also be the URL of the requested endpoint, for older OpenID
clients. issuer_string: it must be the issuer as a string, and not a list of one. Default:
issuer. (Not a registered name: only this server reads it.)
"""

ClientProfile: TypeAlias = Literal[
    "fapi2-security",
    "fapi2-message-signing",
]
"""The profile of this client, which fills its members and refuses others. Default: the profile of
the server. (Not a registered name: only this server reads it.)
"""

ClientApplicationType: TypeAlias = Literal[
    "web",
    "native",
]
"""web: the redirect URIs are https, or http on loopback. native: they are http on loopback, or have
the scheme of an app (com.example.app:/callback), and beside those they may be https. Left out: a
configured client may mix them.
"""

ResponseMode: TypeAlias = Literal[
    "query",
    "fragment",
    "jwt",
    "query.jwt",
    "fragment.jwt",
]
"""How the authorization response comes: jwt, query.jwt and fragment.jwt are signed JWTs, whose
signature, issuer, audience and time the test kit checks (JARM). Default: query.
"""

TokenKind: TypeAlias = Literal[
    "access",
    "id",
    "refresh",
]
"""The kind of token. Default: an access token."""

VerdictError: TypeAlias = Literal[
    "invalid_token",
    "insufficient_scope",
    "insufficient_user_authentication",
]
"""The error code in the challenge. Absent if the API has to accept the token."""

VerdictSeenBy: TypeAlias = Literal[
    "verification",
    "scope",
    "authentication",
    "server",
]
"""The check that detects the fault. verification checks the issuer, the audience, the signature and
the times. scope checks the scope, and authentication when and how the person signed in. server
means that the API must ask the server by introspection. Absent if the API has to accept the
token.
"""

WorkloadPlatform: TypeAlias = Literal[
    "github-actions",
    "gitlab-ci",
    "kubernetes",
    "spiffe",
]
"""The platform that gives the token."""

IdJagFault: TypeAlias = Literal[
    "alg_none",
    "audience_several",
    "audience_wrong",
    "binding_unknown",
    "client_missing",
    "client_wrong",
    "details_unknown",
    "expired",
    "expiry_missing",
    "id_missing",
    "issuer_wrong",
    "key_unknown",
    "resource_unknown",
    "scope_unknown",
    "signature_bad",
    "subject_unknown",
    "type_wrong",
]
"""What is wrong with the ID-JAG. Default: nothing."""

IdJagVerdictError: TypeAlias = Literal[
    "invalid_grant",
    "invalid_scope",
    "invalid_target",
]

SecondFactorKind: TypeAlias = Literal[
    "totp",
    "code",
]

ResourceDpopNonces: TypeAlias = Literal[
    "off",
    "required",
    "rotating",
]
"""Its own nonces, which the authorization server does not accept. Default: off."""

ResourceChallengeScope: TypeAlias = Literal[
    "needed",
    "missing",
]

RecordedRequestOutcome: TypeAlias = Literal[
    "ok",
    "refused",
    "failed",
]
"""What became of the request. failed is a failure of the server itself."""

RecordedRequestPkce: TypeAlias = Literal[
    "S256",
    "none",
]
"""The code_challenge_method of an authorization request."""

MisbehaviourPhase: TypeAlias = Literal[
    "login",
    "refresh",
    "call_api",
    "logout",
    "register",
]
"""The part of the client's work that meets it."""

MisbehaviourName: TypeAlias = Literal[
    "metadata.alg_none_listed",
    "metadata.authorization_endpoint_script",
    "metadata.content_charset",
    "metadata.endpoint_missing",
    "metadata.endpoint_query",
    "metadata.endpoint_relative",
    "metadata.gone_at_refresh",
    "metadata.html_200",
    "metadata.huge",
    "metadata.impostor",
    "metadata.issuer_mismatch",
    "metadata.issuer_missing",
    "metadata.issuer_slash",
    "metadata.jwks_uri_http",
    "metadata.jwks_uri_missing",
    "metadata.jwks_uri_moved",
    "metadata.jwks_uri_relative",
    "metadata.minimal",
    "metadata.mtls_aliases",
    "metadata.only_at_inserted_path",
    "metadata.only_openid_configuration",
    "metadata.pkce_missing",
    "metadata.pkce_plain_only",
    "metadata.redirect_foreign",
    "metadata.revocation_endpoint_http",
    "metadata.revocation_endpoint_missing",
    "metadata.scopes_partial",
    "metadata.slow",
    "metadata.status_500",
    "metadata.token_endpoint_host",
    "metadata.token_endpoint_http",
    "metadata.token_endpoint_query",
    "metadata.unknown_members",
    "keys.alg_absent",
    "keys.alg_other",
    "keys.curve_unknown",
    "keys.empty",
    "keys.html_200",
    "keys.incomplete",
    "keys.kid_duplicate",
    "keys.kid_odd",
    "keys.kid_similar",
    "keys.kty_unknown",
    "keys.members_unknown",
    "keys.operations_other",
    "keys.point_off_curve",
    "keys.private_published",
    "keys.redirect_foreign",
    "keys.replaced",
    "keys.rotated",
    "keys.rsa_short",
    "keys.several",
    "keys.silent",
    "keys.status_500",
    "keys.symmetric_published",
    "keys.use_enc",
    "keys.withdrawn",
    "authorization_response.access_token_injected",
    "authorization_response.code_and_error",
    "authorization_response.code_empty",
    "authorization_response.code_hard",
    "authorization_response.code_missing",
    "authorization_response.code_twice",
    "authorization_response.error_denied",
    "authorization_response.error_loop",
    "authorization_response.error_markup",
    "authorization_response.error_unknown",
    "authorization_response.error_uri",
    "authorization_response.fragment",
    "authorization_response.iss_missing",
    "authorization_response.iss_slash",
    "authorization_response.iss_twice",
    "authorization_response.iss_unadvertised",
    "authorization_response.iss_wrong",
    "authorization_response.mix_up",
    "authorization_response.parameters_unknown",
    "authorization_response.repeated",
    "authorization_response.return_page_foreign",
    "authorization_response.state_changed",
    "authorization_response.state_missing",
    "authorization_response.state_of_another_browser",
    "authorization_response.state_of_another_login",
    "authorization_response.state_similar",
    "authorization_response.state_twice",
    "jarm.alg_none",
    "jarm.audience_missing",
    "jarm.audience_other",
    "jarm.expired",
    "jarm.expiry_missing",
    "jarm.issuer_missing",
    "jarm.issuer_other",
    "jarm.jwt_hs256_with_public_key",
    "jarm.jwt_key_embedded",
    "jarm.other_key",
    "jarm.parameters_beside",
    "jarm.plain_parameters",
    "token_response.access_token_empty",
    "token_response.access_token_missing",
    "token_response.access_token_not_text",
    "token_response.byte_order_mark",
    "token_response.cacheable",
    "token_response.content_type_parameters",
    "token_response.content_type_wrong",
    "token_response.error_and_tokens",
    "token_response.error_in_200",
    "token_response.escapes",
    "token_response.expires_in_huge",
    "token_response.expires_in_missing",
    "token_response.expires_in_negative",
    "token_response.expires_in_text",
    "token_response.expires_in_zero",
    "token_response.form_encoded",
    "token_response.html",
    "token_response.members_twice",
    "token_response.members_unknown",
    "token_response.nested_deeply",
    "token_response.redirect_get",
    "token_response.redirect_post",
    "token_response.refresh_token_missing",
    "token_response.scope_less",
    "token_response.scope_missing",
    "token_response.scope_more",
    "token_response.scope_order",
    "token_response.token_type_case",
    "token_response.token_type_missing",
    "token_response.token_type_unknown",
    "token_response.truncated",
    "id_token.acr_missing",
    "id_token.acr_weak",
    "id_token.alg_none",
    "id_token.alg_unregistered",
    "id_token.amr_weak",
    "id_token.at_hash_alg_unknown",
    "id_token.at_hash_wrong",
    "id_token.aud_array",
    "id_token.aud_empty",
    "id_token.aud_foreign_azp_own",
    "id_token.aud_foreign_too",
    "id_token.aud_missing",
    "id_token.aud_twice",
    "id_token.aud_wrong",
    "id_token.auth_time_missing",
    "id_token.auth_time_old",
    "id_token.azp_instead_of_aud",
    "id_token.azp_wrong",
    "id_token.crit_unknown",
    "id_token.encrypted_compressed",
    "id_token.exp_just_past",
    "id_token.exp_minutes_past",
    "id_token.exp_missing",
    "id_token.exp_past",
    "id_token.exp_text",
    "id_token.hs256_alg_unpublished",
    "id_token.hs256_with_public_key",
    "id_token.hs256_with_secret",
    "id_token.huge",
    "id_token.iat_ahead",
    "id_token.iat_future",
    "id_token.iat_missing",
    "id_token.iat_old",
    "id_token.iss_list",
    "id_token.iss_missing",
    "id_token.iss_part",
    "id_token.iss_slash",
    "id_token.iss_wrong",
    "id_token.jku_foreign",
    "id_token.key_embedded",
    "id_token.kid_absent",
    "id_token.kid_unknown",
    "id_token.large",
    "id_token.missing",
    "id_token.nbf_ahead",
    "id_token.nbf_future",
    "id_token.nonce_missing",
    "id_token.nonce_of_another_login",
    "id_token.nonce_unasked",
    "id_token.nonce_wrong",
    "id_token.not_a_jwt",
    "id_token.other_key",
    "id_token.signature_bad",
    "id_token.signature_missing",
    "id_token.signature_zero",
    "id_token.sub_empty",
    "id_token.sub_long",
    "id_token.sub_missing",
    "id_token.sub_not_utf8",
    "id_token.sub_number",
    "id_token.typ_other",
    "id_token.unknown_claims",
    "userinfo.claims_as_text",
    "userinfo.claims_distributed",
    "userinfo.claims_missing",
    "userinfo.claims_null",
    "userinfo.claims_unknown",
    "userinfo.jwt_aud_wrong",
    "userinfo.jwt_hs256_with_public_key",
    "userinfo.jwt_iss_wrong",
    "userinfo.jwt_other_key",
    "userinfo.jwt_unsigned",
    "userinfo.never_answers",
    "userinfo.redirect_foreign",
    "userinfo.sub_missing",
    "userinfo.sub_other",
    "userinfo.sub_similar",
    "userinfo.unavailable",
    "userinfo.unreadable",
    "access_token.acr_weak",
    "access_token.alg_missing",
    "access_token.alg_none",
    "access_token.audience_empty",
    "access_token.audience_issuer",
    "access_token.audience_list",
    "access_token.audience_missing",
    "access_token.audience_slash",
    "access_token.audience_wrong",
    "access_token.auth_time_old",
    "access_token.certificate_embedded",
    "access_token.claim_twice",
    "access_token.claims_tampered",
    "access_token.claims_unknown",
    "access_token.client_id_missing",
    "access_token.crit_unknown",
    "access_token.encrypted_unsigned",
    "access_token.expired",
    "access_token.expired_after_use",
    "access_token.expired_minutes_ago",
    "access_token.expiry_huge",
    "access_token.expiry_missing",
    "access_token.expiry_text",
    "access_token.hs256_alg_unpublished",
    "access_token.hs256_alg_unpublished_other_type",
    "access_token.hs256_with_public_key",
    "access_token.huge",
    "access_token.id_missing",
    "access_token.id_token_instead",
    "access_token.issued_at_missing",
    "access_token.issued_in_future",
    "access_token.issuer_list",
    "access_token.issuer_missing",
    "access_token.issuer_part",
    "access_token.issuer_slash",
    "access_token.issuer_wrong",
    "access_token.key_alg_other",
    "access_token.key_by_url",
    "access_token.key_embedded",
    "access_token.key_operations_other",
    "access_token.key_other",
    "access_token.key_replaced",
    "access_token.key_use_enc",
    "access_token.key_withdrawn",
    "access_token.keys_unavailable",
    "access_token.kid_missing",
    "access_token.kid_odd",
    "access_token.kid_unknown",
    "access_token.kid_unknown_many",
    "access_token.kid_unusual",
    "access_token.long",
    "access_token.nested_deeply",
    "access_token.not_before_text",
    "access_token.not_yet_valid",
    "access_token.revoked",
    "access_token.scope_missing",
    "access_token.serialized_as_json",
    "access_token.signature_alphabet",
    "access_token.signature_bad",
    "access_token.signature_missing",
    "access_token.signature_zero",
    "access_token.similar_to_accepted",
    "access_token.subject_missing",
    "access_token.subject_similar",
    "access_token.two_issuers_one_kid",
    "access_token.type_full",
    "access_token.type_missing",
    "access_token.type_wrong",
    "access_token.unreadable",
    "access_token.valid_in_a_moment",
    "refresh.endless",
    "refresh.id_token_alg_none",
    "refresh.id_token_auth_time",
    "refresh.id_token_azp",
    "refresh.id_token_exp_past",
    "refresh.id_token_missing",
    "refresh.id_token_nonce",
    "refresh.id_token_other_audience",
    "refresh.id_token_other_issuer",
    "refresh.id_token_other_subject",
    "refresh.invalid_grant",
    "refresh.not_rotated",
    "refresh.response_lost",
    "refresh.revoked_early",
    "refresh.rotated",
    "refresh.scope_less",
    "refresh.scope_more",
    "refresh.slow",
    "refresh.token_hard",
    "refresh.token_type_unknown",
    "refresh.unavailable",
    "authorization_details.less",
    "authorization_details.missing",
    "authorization_details.more",
    "authorization_details.other_order",
    "token_exchange.issued_type_missing",
    "token_exchange.issued_type_other",
    "token_exchange.not_an_access_token",
    "token_exchange.refused",
    "token_exchange.scope_more",
    "introspection.active_missing",
    "introspection.active_text",
    "introspection.audience_list",
    "introspection.audience_other",
    "introspection.client_refused",
    "introspection.endpoint_http",
    "introspection.endpoint_missing",
    "introspection.expired",
    "introspection.inactive",
    "introspection.jwt_alg_none",
    "introspection.jwt_audience_wrong",
    "introspection.jwt_hs256_with_public_key",
    "introspection.jwt_issuer_wrong",
    "introspection.jwt_type_wrong",
    "introspection.members_unknown",
    "introspection.minimal",
    "introspection.never_answers",
    "introspection.not_json",
    "introspection.not_yet_valid",
    "introspection.scope_narrower",
    "introspection.subject_other",
    "introspection.unavailable",
    "revocation.body_unexpected",
    "revocation.never_answers",
    "revocation.refused",
    "revocation.unavailable",
    "revocation.unsupported_type",
    "logout.alg_none",
    "logout.audience_wrong",
    "logout.claims_unknown",
    "logout.event_other",
    "logout.events_missing",
    "logout.expired",
    "logout.expiry_missing",
    "logout.hs256_with_public_key",
    "logout.id_token_instead",
    "logout.issuer_wrong",
    "logout.key_embedded",
    "logout.key_other",
    "logout.nonce_present",
    "logout.not_returned",
    "logout.session_unknown",
    "logout.state_changed",
    "logout.state_missing",
    "logout.subject_missing",
    "logout.type_missing",
    "logout.type_other",
    "registration.auth_method_changed",
    "registration.client_forgotten",
    "registration.client_id_missing",
    "registration.client_uri_foreign",
    "registration.credentials_hard",
    "registration.grant_types_reduced",
    "registration.management_missing",
    "registration.rate_limited",
    "registration.redirect_uris_changed",
    "registration.refused",
    "registration.scope_reduced",
    "registration.secret_expired",
    "registration.unknown_client_as_invalid_grant",
    "registration.unknown_members",
    "client_document.announced_as_text",
    "client_document.fetch_fails",
    "client_document.refused",
    "pushed_request.audience_foreign",
    "pushed_request.endpoint_missing",
    "pushed_request.expires_in_text",
    "pushed_request.login_fails",
    "pushed_request.refused",
    "pushed_request.request_uri_missing",
    "pushed_request.unavailable",
    "device.complete_uri_foreign",
    "device.expired_early",
    "device.interval_missing",
    "device.poll_html",
    "device.slow_down_endless",
    "device.uri_script",
    "dpop.algorithms_unsupported",
    "dpop.bearer_challenge",
    "dpop.bearer_token",
    "dpop.nonce_endless",
    "dpop.nonce_long",
    "dpop.nonce_missing",
    "dpop.nonce_of_other_server",
    "dpop.nonce_required",
    "dpop.nonce_rotates",
    "dpop.nonce_twice",
    "dpop.nonce_with_other_error",
    "mtls.cnf_missing",
    "mtls.thumbprint_other",
    "resource.authentication_never_enough",
    "resource.authorization_servers_missing",
    "resource.challenge_capitals",
    "resource.challenge_garbled",
    "resource.challenge_lookalike",
    "resource.challenge_missing",
    "resource.challenges_several",
    "resource.description_foreign",
    "resource.description_mismatch",
    "resource.description_only_at_root",
    "resource.description_unknown_members",
    "resource.insufficient_user_authentication",
    "resource.origin_without_slash",
    "resource.path_slash",
    "resource.pkce_missing",
    "resource.redirects_to_foreign_host",
    "resource.refuses_always",
    "resource.refuses_early",
    "resource.scope_never_enough",
    "resource.scope_only_missing",
    "resource.scope_wider",
    "resource.scopes_supported_disjoint",
    "resource.server_moved",
    "resource.servers_foreign_first",
    "resource.servers_own_first",
    "resource.servers_private",
    "resource.token_in_query",
    "resource.unauthorized_html",
    "resource.wider_resource",
    "transport.compressed_bomb",
    "transport.compressed_chain",
    "transport.huge_body",
    "transport.internal_error",
    "transport.invalid_client",
    "transport.length_wrong",
    "transport.response_lost",
    "transport.stalled",
    "transport.too_many_requests",
    "transport.unavailable",
]
"""A name of the catalogue."""

Outcome: TypeAlias = Literal[
    "pending",
    "noticed",
    "unharmed",
    "fooled",
    "tolerated",
    "broke",
    "crashed",
    "not_applicable",
    "not_reached",
    "hung",
    "unknown",
]
"""pending: the run is not over. noticed: the client refused. unharmed: it showed no check, and did
no harm. fooled: it went on as if nothing were wrong. tolerated and broke: it went on, or not,
where a correct client goes on. crashed: its own code failed. not_applicable: it does not do what
the fault is about. not_reached: it never met the fault. unknown: nothing shows what it did.
"""

LoginResult: TypeAlias = Literal[
    "success",
    "refusal",
    "none",
]
"""How the client's run ended. none: the caller does not know, so only the client's requests count.
Default: none.
"""

LookAlikeName: TypeAlias = Literal[
    "apple",
    "atlassian",
    "auth0",
    "cognito",
    "discord",
    "entra",
    "facebook",
    "github",
    "gitlab",
    "google",
    "keycloak",
    "linkedin",
    "okta",
    "slack",
    "slack_openid",
]
"""The provider."""


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """A token response with its wire names, and the claims of its ID token. Members that a hook
    adds are present, too, but not in the kits of languages other than TypeScript.
    """

    access_token: str
    """A JWT, or opaque text if the configuration says so."""
    token_type: str | None = None
    """Bearer, or DPoP for tokens that are bound to a key."""
    expires_in: int | None = None
    """The seconds until the access token expires."""
    scope: str | None = None
    """The scope that was granted."""
    refresh_token: str | None = None
    """Present if the client may refresh."""
    authorization_details: list[Json] | None = None
    """What was granted in detail (RFC 9396 §7)."""
    id_token: str | None = None
    """Present if openid was granted."""
    claims: Json | None = None
    """The claims of the ID token, which the test kit adds to the response without verifying the ID
    token. Absent without an ID token, that is without the scope openid, and if the ID token is
    encrypted and login got no key for it.
    """


@dataclass(frozen=True, kw_only=True)
class Callback:
    method: str
    """GET, or POST with response_mode=form_post."""
    url: str
    """The redirect URI, with the code or the error in its query (GET) or in form (POST)."""
    form: Json | None = None
    """The fields of the form, with response_mode=form_post."""


@dataclass(frozen=True, kw_only=True)
class AuthenticatorOfAnswer:
    """What an authenticator app needs. It is a secret of the person."""

    secret: str
    """The secret in base32."""
    uri: str
    """The link that apps read from a QR code: otpauth://totp/…."""
    qr_code: str | None = field(default=None, metadata={"json": "qrCode"})
    """The link as a QR code in SVG. Absent if the link has more than 666 octets, and in a web page."""


@dataclass(frozen=True, kw_only=True)
class Registration:
    client_id: str
    """The id of the new client."""
    client_secret: str | None = None
    """If the authentication method needs a secret."""
    registration_access_token: str | None = None
    """The bearer token for registration_client_uri."""
    registration_client_uri: str | None = None
    """The address at which the client reads, updates and deletes its registration."""


@dataclass(frozen=True, kw_only=True)
class DpopHeaders:
    """The headers of a request with a bound token."""

    authorization: str
    """The scheme DPoP and the access token."""
    dpop: str
    """The proof, which is good for one request."""


@dataclass(frozen=True, kw_only=True)
class ExpiredTokens:
    token: str | None = None
    """The expired token, if the body has token."""
    access_token: str | None = None
    """A JWT, or opaque text if the configuration says so."""
    token_type: str | None = None
    """Bearer, or DPoP for tokens that are bound to a key."""
    expires_in: int | None = None
    """The seconds until the access token expires."""
    scope: str | None = None
    """The scope that was granted."""
    refresh_token: str | None = None
    """Present if the client may refresh."""
    authorization_details: list[Json] | None = None
    """What was granted in detail (RFC 9396 §7)."""
    id_token: str | None = None
    """Present if openid was granted."""
    claims: Json | None = None
    """The claims of the ID token, which the test kit adds to the response without verifying the ID
    token. Absent without an ID token, that is without the scope openid, and if the ID token is
    encrypted and login got no key for it.
    """


@dataclass(frozen=True, kw_only=True)
class Forgery:
    name: ForgeryName
    """The fault of the token."""
    verdict: Verdict
    """The response that a resource server must give to a faulty token."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The response that a resource server must give to a faulty token."""

    level: Level
    """How strongly the rule obliges the API. tolerate, robustness: the token is only unusual, so a
    correct API accepts it.
    """
    status: int
    """401, 403 if only the scope is wrong, or 200 if the API has to accept the token."""
    error: VerdictError | None = None
    """The error code in the challenge. Absent if the API has to accept the token."""
    may_refuse: bool | None = field(default=None, metadata={"json": "mayRefuse"})
    """True if a correct API may also refuse a token that is only unusual."""
    spec: str
    """The rule with its section."""
    why: str
    """The fault in one sentence, for the message of a failing test."""
    seen_by: VerdictSeenBy | None = field(default=None, metadata={"json": "seenBy"})
    """The check that detects the fault. verification checks the issuer, the audience, the signature
    and the times. scope checks the scope, and authentication when and how the person signed in.
    server means that the API must ask the server by introspection. Absent if the API has to
    accept the token.
    """


@dataclass(frozen=True, kw_only=True)
class ForgedToken:
    name: ForgeryName
    """The fault of the token."""
    token: str
    """The token to send to the API."""
    verdict: Verdict
    """The response that a resource server must give to a faulty token."""


@dataclass(frozen=True, kw_only=True)
class WorkloadToken:
    """The token of a workload, and where the workload gets more."""

    token: str
    """The token that the platform gives to the workload."""
    issuer: str
    """The issuer of the token. It is that of a tenant with the name of the platform."""
    jwks_uri: str = field(metadata={"json": "jwksUri"})
    """Where the keys of the issuer are. Its discovery document says so, too."""
    request: WorkloadTokenRequest
    """Where the workload gets more tokens: a GET with Authorization: Bearer, and the parameter
    audience.
    """
    env: dict[str, str]
    """The environment variables with which a program of the platform gets its tokens. Only GitHub
    Actions has such variables.
    """


@dataclass(frozen=True, kw_only=True)
class WorkloadTokenRequest:
    """Where the workload gets more tokens: a GET with Authorization: Bearer, and the parameter
    audience.
    """

    url: str
    bearer: str


@dataclass(frozen=True, kw_only=True)
class IdJag:
    """An ID-JAG, and how a server must answer it."""

    token: str
    """The ID-JAG, to send as assertion."""
    verdict: IdJagVerdict | None = None
    """How a server must answer an ID-JAG with a fault. Absent: it must accept the ID-JAG."""


@dataclass(frozen=True, kw_only=True)
class IdJagVerdict:
    """How a server must answer an ID-JAG with a fault. Absent: it must accept the ID-JAG."""

    level: Level
    """How strongly the rule obliges the server."""
    status: int
    error: IdJagVerdictError
    spec: str
    """The rule with its section."""
    why: str
    """The fault in one sentence, for the message of a failing test."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    now: float
    """The right time, in seconds since 1970. The calls advance, set and freeze change it."""
    date: str
    """The same time as ISO text."""
    frozen: bool
    """Whether the clock is stopped."""
    skew: float
    """How many seconds the server's clock is ahead. Negative if it is behind."""
    server_now: float = field(metadata={"json": "serverNow"})
    """The time that Postern issues and checks tokens by, in seconds since 1970. It is the sum of
    now and skew.
    """


@dataclass(frozen=True, kw_only=True)
class ListedPerson:
    username: str
    """The name that the person signs in with."""
    password: str | None = None
    """Only if raw is True."""
    sub: str | None = None
    """The person's sub in tokens. Default: the username."""
    claims: Json | None = None
    """The claims about the person: name, email, roles, and any others."""
    second_factor: SecondFactorKind | SecondFactor | None = field(
        default=None, metadata={"json": "secondFactor"}
    )
    """A second factor, which a request can ask for: totp is an authenticator app, and code is a
    code that the server gives, as if it sent it. An object has more: the secret of the app, or
    that each sign-in needs the factor. Default: none.
    """
    disabled: bool | None = None
    """True: the person cannot sign in, and their sign-ins and tokens have no effect. Default:
    False.
    """


@dataclass(frozen=True, kw_only=True)
class SecondFactor:
    kind: SecondFactorKind
    """totp: an authenticator app makes the codes. code: the server gives them."""
    secret: str | None = None
    """The secret of the authenticator app in base32, of at least 16 octets. Default: the server
    derives one.
    """
    always: bool | None = None
    """True: each sign-in of this person needs the factor. Default: if the request, the client or
    the server asks for it.
    """


@dataclass(frozen=True, kw_only=True)
class Person:
    username: str
    """The name that the person signs in with."""
    sub: str | None = None
    """The person's sub in tokens. Default: the username."""
    claims: Json | None = None
    """The claims about the person: name, email, roles, and any others."""
    second_factor: SecondFactorKind | SecondFactor | None = field(
        default=None, metadata={"json": "secondFactor"}
    )
    """A second factor, which a request can ask for: totp is an authenticator app, and code is a
    code that the server gives, as if it sent it. An object has more: the secret of the app, or
    that each sign-in needs the factor. Default: none.
    """
    disabled: bool | None = None
    """True: the person cannot sign in, and their sign-ins and tokens have no effect. Default:
    False.
    """


@dataclass(frozen=True, kw_only=True)
class ListedClient:
    client_id: str
    """The name of the client in its requests."""
    client_secret: str | None = None
    """Only if raw is True."""
    client_name: str | None = None
    """The name that people see when they are asked for consent."""
    redirect_uris: list[str] | None = None
    """Where the browser may be sent back to: https, http on this machine, or the private scheme of
    an app (com.example.app:/callback). A configured client may also have the scheme of a program
    that is no reversed domain name, unless a browser or an operating system handles it
    (cursor://anysphere.cursor-mcp/oauth/callback). A request must name one of them exactly. Only
    the port of a loopback address may differ.
    """
    allow_private_http: bool | None = None
    """True: the redirect URIs, jwks_uri and backchannel_logout_uri may be http at private addresses
    (http://192.168.1.5/cb) and local names (http://app:3000/cb). Use it in a test network only,
    because others in the network can read the codes. Public hosts need https in any case (RFC
    9700 §2.6). (Not a registered name: only this server reads it.)
    """
    token_endpoint_auth_method: str | None = None
    """How the client authenticates. Default: none without a secret, client_secret_basic with one."""
    grant_types: list[str] | None = None
    """The grant types that the client may use. Default: authorization_code, refresh_token, and for
    a client with a secret or a key client_credentials.
    """
    response_types: list[str] | None = None
    """["code"], or [] for a client that never sends people to sign in. Default: ["code"] for a
    client that may use authorization_code.
    """
    scope: str | None = None
    """The scopes that the client may request, separated by spaces. Default: every scope."""
    require_pkce: bool | None = None
    """False: a request with openid in its scope may omit PKCE if it sends a nonce. Default: True.
    (Not a registered name: only this server reads it.)
    """
    remember_consent: bool | None = None
    """True: a person who has agreed is not asked again. False: a person is asked each time.
    Default: True with an https redirect URI, and on loopback for a client with a secret or a
    key. (Not a registered name: only this server reads it.)
    """
    subject_type: ClientSubjectType | None = None
    """pairwise: clients on different hosts get different values of sub for the same person.
    Default: public.
    """
    oauth_version: ClientOauthVersion | None = None
    """Left out: the authorization request and the token request need redirect_uri. 2.1: the token
    request may leave redirect_uri out, and so may the authorization request if the client has
    only one redirect URI and the scope lacks openid. 2.0: with require_pkce False, a request
    with openid in its scope needs no nonce. (Not a registered name: only this server reads it.)
    """
    require_pushed_authorization_requests: bool | None = None
    """True: the client must push its authorization requests (RFC 9126 §6). Default: False."""
    jwks: ClientJwks | None = None
    """The public keys of the client. private_key_jwt and signed requests need them, or jwks_uri.
    The server encrypts with a key whose use is enc.
    """
    jwks_uri: str | None = None
    """The address of the client's public keys, instead of jwks. The server fetches it when it needs
    them.
    """
    request_object_signing_alg: SigningAlgorithm | None = None
    """The only algorithm that may sign the client's request objects. Default: any that its keys
    fit.
    """
    request_object_times: ClientRequestObjectTimes | None = None
    """bounded: a request object must have exp and nbf, nbf at most an hour ago and exp at most an
    hour after it, and its aud may be a list with the issuer (FAPI 2.0 Message Signing). Default:
    usual. (Not a registered name: only this server reads it.)
    """
    require_signed_request_object: bool | None = None
    """True: the client must sign its authorization requests (RFC 9101 §10.5). Default: False."""
    accepted_signing_algs: list[SigningAlgorithm] | None = None
    """The only algorithms that the client may sign with. Default: acceptedAlgorithms. (Not a
    registered name: only this server reads it.)
    """
    default_max_age: int | None = None
    """Seconds since the last sign-in after which a person must sign in again, if a request has no
    max_age.
    """
    authorization_details_types: list[str] | None = None
    """The types of authorization_details that the client may request (RFC 9396 §10). Default: every
    type from a person, and none with client_credentials.
    """
    require_second_factor: bool | None = None
    """True: each sign-in at this client needs the second factor. Default: if its request asks for
    it. (Not a registered name: only this server reads it.)
    """
    client_uri: str | None = None
    """The web site of the client."""
    logo_uri: str | None = None
    """The logo of the client. Pages show no logo, because a foreign image would tell its host who
    opens a page.
    """
    policy_uri: str | None = None
    """How the client uses data about people. The consent page has a link to it."""
    tos_uri: str | None = None
    """The terms of service of the client. The consent page has a link to them."""
    contacts: list[str] | None = None
    """Email addresses of the people behind the client."""
    software_id: str | None = None
    """The id of the software."""
    software_version: str | None = None
    """The version of the software."""
    authorization_signed_response_alg: SigningAlgorithm | None = None
    """The algorithm that signs authorization responses as a JWT (JARM). Default: RS256, or else alg
    of the configuration.
    """
    require_signed_response: bool | None = None
    """True: the client must use a response mode with a signed response (JARM): jwt, query.jwt.
    Default: False. (Not a registered name: only this server reads it.)
    """
    authorization_encrypted_response_alg: KeyEncryption | None = None
    """Authorization responses as a JWT are encrypted to a key of the client. Default: they are only
    signed.
    """
    authorization_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted authorization responses. Default: A128CBC-HS256."""
    authorization_code_lifetime: int | None = None
    """How many seconds the client has to redeem a code, if that is less than lifetimes.code. (Not a
    registered name: only this server reads it.)
    """
    require_bound_access_tokens: bool | None = None
    """True: the client gets tokens only with some proof of possession of a key. Default: False.
    (Not a registered name: only this server reads it.)
    """
    client_secret_basic: ClientSecretBasic | None = None
    """encoded refuses an id or secret that is not percent-encoded in the header. By default,
    encoded and plain ones are accepted. (Not a registered name: only this server reads it.)
    """
    client_assertion_audience: ClientAssertionAudience | None = None
    """endpoint: the aud of an assertion may also be the URL of the requested endpoint, for older
    OpenID clients. issuer_string: it must be the issuer as a string, and not a list of one.
    Default: issuer. (Not a registered name: only this server reads it.)
    """
    token_endpoint_auth_signing_alg: str | None = None
    """The only algorithm of the client's assertions, for private_key_jwt and client_secret_jwt.
    Default: any algorithm that the method supports.
    """
    dpop_bound_access_tokens: bool | None = None
    """True: the client gets tokens only with a DPoP proof (RFC 9449 §5.2). Default: False."""
    tls_client_certificate_bound_access_tokens: bool | None = None
    """True: the client gets tokens only with its certificate, to which they are bound (RFC 8705
    §3.4). Default: False.
    """
    tls_client_auth_subject_dn: str | None = None
    """The subject of the client's certificate, for tls_client_auth, as text (RFC 4514):
    CN=app,O=Example.
    """
    tls_client_auth_san_dns: str | None = None
    """The host name in the client's certificate, instead of its subject (RFC 8705 §2.1.2)."""
    tls_client_auth_san_uri: str | None = None
    """The URI in the client's certificate, instead of its subject."""
    tls_client_auth_san_ip: str | None = None
    """The IP address in the client's certificate, instead of its subject."""
    tls_client_auth_san_email: str | None = None
    """The email address in the client's certificate, instead of its subject."""
    profile: ClientProfile | None = None
    """The profile of this client, which fills its members and refuses others. Default: the profile
    of the server. (Not a registered name: only this server reads it.)
    """
    application_type: ClientApplicationType | None = None
    """web: the redirect URIs are https, or http on loopback. native: they are http on loopback, or
    have the scheme of an app (com.example.app:/callback), and beside those they may be https.
    Left out: a configured client may mix them.
    """
    rotate_refresh_tokens: bool | None = None
    """False: a refresh token stays the same when it is used (FAPI 2.0). Default:
    rotateRefreshTokens. (Not a registered name: only this server reads it.)
    """
    token_exchange: ClientTokenExchange | None = None
    """Which tokens the client may exchange, and for what (RFC 8693). Default: none. (Not a
    registered name: only this server reads it.)
    """
    id_token_signed_response_alg: SigningAlgorithm | None = None
    """The algorithm that signs the client's ID tokens. Default: alg of the configuration."""
    id_token_encrypted_response_alg: KeyEncryption | None = None
    """ID tokens and logout tokens are encrypted to a key of the client. Default: they are only
    signed.
    """
    id_token_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted ID tokens. Default: A128CBC-HS256."""
    sector_identifier_uri: str | None = None
    """The https address of a JSON array with all redirect_uris. Clients whose addresses have the
    same host get the same pairwise sub for a person, and their redirect_uris may have different
    hosts. The server fetches the array.
    """
    initiate_login_uri: str | None = None
    """The https address at which the client begins a sign-in when another party sends a browser
    there.
    """
    userinfo_signed_response_alg: SigningAlgorithm | None = None
    """Userinfo is a JWT that is signed with this algorithm. Default: userinfo is unsigned JSON."""
    userinfo_encrypted_response_alg: KeyEncryption | None = None
    """Userinfo is encrypted to a key of the client, after it is signed if it is. Default: it is not
    encrypted.
    """
    userinfo_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted userinfo. Default: A128CBC-HS256."""
    introspects: list[str] | None = None
    """The client may introspect access tokens with one of these values of aud. (Not a registered
    name: only this server reads it.)
    """
    introspection_signed_response_alg: SigningAlgorithm | None = None
    """The algorithm that signs introspection as a JWT (RFC 9701). Default: alg of the
    configuration.
    """
    introspection_encrypted_response_alg: KeyEncryption | None = None
    """Introspection as a JWT is encrypted to a key of the client (RFC 9701). Default: it is only
    signed.
    """
    introspection_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted introspection. Default: A128CBC-HS256."""
    post_logout_redirect_uris: list[str] | None = None
    """Where the browser may be sent back to after a sign-out that the client requests."""
    backchannel_logout_uri: str | None = None
    """The address that the server calls when a person who signed in to the client has signed out."""
    backchannel_logout_session_required: bool | None = None
    """Has no effect: every logout token has the claim sid."""


@dataclass(frozen=True, kw_only=True)
class ClientJwks:
    """The public keys of the client. private_key_jwt and signed requests need them, or jwks_uri.
    The server encrypts with a key whose use is enc.
    """

    keys: list[Json]


@dataclass(frozen=True, kw_only=True)
class ClientTokenExchange:
    """Which tokens the client may exchange, and for what (RFC 8693). Default: none. (Not a
    registered name: only this server reads it.)
    """

    from_: list[str] | None = field(default=None, metadata={"json": "from"})
    """Whose tokens the client may exchange: the ids of clients, and issuers of trust."""
    to: list[str] | None = None
    """The audiences that the new access tokens may have. If there is only one, a request that names
    none gets it.
    """
    actors: list[str] | None = None
    """Whose tokens may be the actor_token: the ids of clients, and issuers of trust. With this
    list, each request for an access token needs an actor_token. Default: none.
    """
    without_proof: list[str] | None = None
    """The audiences of this client itself. If another client got a token for one of them, and the
    token is bound to a key, this client may exchange the token without a proof of the key.
    """
    id_jag: list[ClientTokenExchangeIdJag] | None = None
    """The servers for which the client gets an ID-JAG in exchange for its own token of a person."""


@dataclass(frozen=True, kw_only=True)
class ClientTokenExchangeIdJag:
    audience: str
    """The issuer of that server. (Not a registered name: only this server reads it.)"""
    client_id: str
    """The id that the client has at that server."""
    scope: str | None = None
    """The scopes that the client may request there, separated by spaces. Default: every scope."""


@dataclass(frozen=True, kw_only=True)
class Client:
    client_id: str
    """The name of the client in its requests."""
    client_name: str | None = None
    """The name that people see when they are asked for consent."""
    redirect_uris: list[str] | None = None
    """Where the browser may be sent back to: https, http on this machine, or the private scheme of
    an app (com.example.app:/callback). A configured client may also have the scheme of a program
    that is no reversed domain name, unless a browser or an operating system handles it
    (cursor://anysphere.cursor-mcp/oauth/callback). A request must name one of them exactly. Only
    the port of a loopback address may differ.
    """
    allow_private_http: bool | None = None
    """True: the redirect URIs, jwks_uri and backchannel_logout_uri may be http at private addresses
    (http://192.168.1.5/cb) and local names (http://app:3000/cb). Use it in a test network only,
    because others in the network can read the codes. Public hosts need https in any case (RFC
    9700 §2.6). (Not a registered name: only this server reads it.)
    """
    token_endpoint_auth_method: str | None = None
    """How the client authenticates. Default: none without a secret, client_secret_basic with one."""
    grant_types: list[str] | None = None
    """The grant types that the client may use. Default: authorization_code, refresh_token, and for
    a client with a secret or a key client_credentials.
    """
    response_types: list[str] | None = None
    """["code"], or [] for a client that never sends people to sign in. Default: ["code"] for a
    client that may use authorization_code.
    """
    scope: str | None = None
    """The scopes that the client may request, separated by spaces. Default: every scope."""
    require_pkce: bool | None = None
    """False: a request with openid in its scope may omit PKCE if it sends a nonce. Default: True.
    (Not a registered name: only this server reads it.)
    """
    remember_consent: bool | None = None
    """True: a person who has agreed is not asked again. False: a person is asked each time.
    Default: True with an https redirect URI, and on loopback for a client with a secret or a
    key. (Not a registered name: only this server reads it.)
    """
    subject_type: ClientSubjectType | None = None
    """pairwise: clients on different hosts get different values of sub for the same person.
    Default: public.
    """
    oauth_version: ClientOauthVersion | None = None
    """Left out: the authorization request and the token request need redirect_uri. 2.1: the token
    request may leave redirect_uri out, and so may the authorization request if the client has
    only one redirect URI and the scope lacks openid. 2.0: with require_pkce False, a request
    with openid in its scope needs no nonce. (Not a registered name: only this server reads it.)
    """
    require_pushed_authorization_requests: bool | None = None
    """True: the client must push its authorization requests (RFC 9126 §6). Default: False."""
    jwks: ClientJwks | None = None
    """The public keys of the client. private_key_jwt and signed requests need them, or jwks_uri.
    The server encrypts with a key whose use is enc.
    """
    jwks_uri: str | None = None
    """The address of the client's public keys, instead of jwks. The server fetches it when it needs
    them.
    """
    request_object_signing_alg: SigningAlgorithm | None = None
    """The only algorithm that may sign the client's request objects. Default: any that its keys
    fit.
    """
    request_object_times: ClientRequestObjectTimes | None = None
    """bounded: a request object must have exp and nbf, nbf at most an hour ago and exp at most an
    hour after it, and its aud may be a list with the issuer (FAPI 2.0 Message Signing). Default:
    usual. (Not a registered name: only this server reads it.)
    """
    require_signed_request_object: bool | None = None
    """True: the client must sign its authorization requests (RFC 9101 §10.5). Default: False."""
    accepted_signing_algs: list[SigningAlgorithm] | None = None
    """The only algorithms that the client may sign with. Default: acceptedAlgorithms. (Not a
    registered name: only this server reads it.)
    """
    default_max_age: int | None = None
    """Seconds since the last sign-in after which a person must sign in again, if a request has no
    max_age.
    """
    authorization_details_types: list[str] | None = None
    """The types of authorization_details that the client may request (RFC 9396 §10). Default: every
    type from a person, and none with client_credentials.
    """
    require_second_factor: bool | None = None
    """True: each sign-in at this client needs the second factor. Default: if its request asks for
    it. (Not a registered name: only this server reads it.)
    """
    client_uri: str | None = None
    """The web site of the client."""
    logo_uri: str | None = None
    """The logo of the client. Pages show no logo, because a foreign image would tell its host who
    opens a page.
    """
    policy_uri: str | None = None
    """How the client uses data about people. The consent page has a link to it."""
    tos_uri: str | None = None
    """The terms of service of the client. The consent page has a link to them."""
    contacts: list[str] | None = None
    """Email addresses of the people behind the client."""
    software_id: str | None = None
    """The id of the software."""
    software_version: str | None = None
    """The version of the software."""
    authorization_signed_response_alg: SigningAlgorithm | None = None
    """The algorithm that signs authorization responses as a JWT (JARM). Default: RS256, or else alg
    of the configuration.
    """
    require_signed_response: bool | None = None
    """True: the client must use a response mode with a signed response (JARM): jwt, query.jwt.
    Default: False. (Not a registered name: only this server reads it.)
    """
    authorization_encrypted_response_alg: KeyEncryption | None = None
    """Authorization responses as a JWT are encrypted to a key of the client. Default: they are only
    signed.
    """
    authorization_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted authorization responses. Default: A128CBC-HS256."""
    authorization_code_lifetime: int | None = None
    """How many seconds the client has to redeem a code, if that is less than lifetimes.code. (Not a
    registered name: only this server reads it.)
    """
    require_bound_access_tokens: bool | None = None
    """True: the client gets tokens only with some proof of possession of a key. Default: False.
    (Not a registered name: only this server reads it.)
    """
    client_secret_basic: ClientSecretBasic | None = None
    """encoded refuses an id or secret that is not percent-encoded in the header. By default,
    encoded and plain ones are accepted. (Not a registered name: only this server reads it.)
    """
    client_assertion_audience: ClientAssertionAudience | None = None
    """endpoint: the aud of an assertion may also be the URL of the requested endpoint, for older
    OpenID clients. issuer_string: it must be the issuer as a string, and not a list of one.
    Default: issuer. (Not a registered name: only this server reads it.)
    """
    token_endpoint_auth_signing_alg: str | None = None
    """The only algorithm of the client's assertions, for private_key_jwt and client_secret_jwt.
    Default: any algorithm that the method supports.
    """
    dpop_bound_access_tokens: bool | None = None
    """True: the client gets tokens only with a DPoP proof (RFC 9449 §5.2). Default: False."""
    tls_client_certificate_bound_access_tokens: bool | None = None
    """True: the client gets tokens only with its certificate, to which they are bound (RFC 8705
    §3.4). Default: False.
    """
    tls_client_auth_subject_dn: str | None = None
    """The subject of the client's certificate, for tls_client_auth, as text (RFC 4514):
    CN=app,O=Example.
    """
    tls_client_auth_san_dns: str | None = None
    """The host name in the client's certificate, instead of its subject (RFC 8705 §2.1.2)."""
    tls_client_auth_san_uri: str | None = None
    """The URI in the client's certificate, instead of its subject."""
    tls_client_auth_san_ip: str | None = None
    """The IP address in the client's certificate, instead of its subject."""
    tls_client_auth_san_email: str | None = None
    """The email address in the client's certificate, instead of its subject."""
    profile: ClientProfile | None = None
    """The profile of this client, which fills its members and refuses others. Default: the profile
    of the server. (Not a registered name: only this server reads it.)
    """
    application_type: ClientApplicationType | None = None
    """web: the redirect URIs are https, or http on loopback. native: they are http on loopback, or
    have the scheme of an app (com.example.app:/callback), and beside those they may be https.
    Left out: a configured client may mix them.
    """
    rotate_refresh_tokens: bool | None = None
    """False: a refresh token stays the same when it is used (FAPI 2.0). Default:
    rotateRefreshTokens. (Not a registered name: only this server reads it.)
    """
    token_exchange: ClientTokenExchange | None = None
    """Which tokens the client may exchange, and for what (RFC 8693). Default: none. (Not a
    registered name: only this server reads it.)
    """
    id_token_signed_response_alg: SigningAlgorithm | None = None
    """The algorithm that signs the client's ID tokens. Default: alg of the configuration."""
    id_token_encrypted_response_alg: KeyEncryption | None = None
    """ID tokens and logout tokens are encrypted to a key of the client. Default: they are only
    signed.
    """
    id_token_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted ID tokens. Default: A128CBC-HS256."""
    sector_identifier_uri: str | None = None
    """The https address of a JSON array with all redirect_uris. Clients whose addresses have the
    same host get the same pairwise sub for a person, and their redirect_uris may have different
    hosts. The server fetches the array.
    """
    initiate_login_uri: str | None = None
    """The https address at which the client begins a sign-in when another party sends a browser
    there.
    """
    userinfo_signed_response_alg: SigningAlgorithm | None = None
    """Userinfo is a JWT that is signed with this algorithm. Default: userinfo is unsigned JSON."""
    userinfo_encrypted_response_alg: KeyEncryption | None = None
    """Userinfo is encrypted to a key of the client, after it is signed if it is. Default: it is not
    encrypted.
    """
    userinfo_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted userinfo. Default: A128CBC-HS256."""
    introspects: list[str] | None = None
    """The client may introspect access tokens with one of these values of aud. (Not a registered
    name: only this server reads it.)
    """
    introspection_signed_response_alg: SigningAlgorithm | None = None
    """The algorithm that signs introspection as a JWT (RFC 9701). Default: alg of the
    configuration.
    """
    introspection_encrypted_response_alg: KeyEncryption | None = None
    """Introspection as a JWT is encrypted to a key of the client (RFC 9701). Default: it is only
    signed.
    """
    introspection_encrypted_response_enc: ContentEncryption | None = None
    """The algorithm of the content of encrypted introspection. Default: A128CBC-HS256."""
    post_logout_redirect_uris: list[str] | None = None
    """Where the browser may be sent back to after a sign-out that the client requests."""
    backchannel_logout_uri: str | None = None
    """The address that the server calls when a person who signed in to the client has signed out."""
    backchannel_logout_session_required: bool | None = None
    """Has no effect: every logout token has the claim sid."""


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The certificate of a client, with which it connects (RFC 8705), and its private key."""

    cert: str
    """The certificate in PEM."""
    key: str
    """The private key in PEM (PKCS #8)."""
    jwk: Json
    """The public key, for the jwks of a client with self_signed_tls_client_auth."""
    thumbprint: str
    """As in cnf["x5t#S256"] of tokens that are bound to the certificate."""
    subject: str
    """The subject as text, for tls_client_auth_subject_dn."""


@dataclass(frozen=True, kw_only=True)
class ClientDocument:
    """The document of a client. The server fetches it without a network."""

    client_id: str
    """The URL of the document. It is the id of the client."""
    metadata: Json
    """The members of the document."""
    requests: int
    """How often the server has fetched the document."""
    id: str | None = None
    """The name of the document in the paths of other calls, for example document-1."""
    answer: DocumentAnswer | None = None
    """The answer instead of the document, if a call has set one."""


@dataclass(frozen=True, kw_only=True)
class DocumentAnswer:
    """The answer instead of the document, if a call has set one."""

    status: int | None = None
    """The status. Default: 200."""
    headers: dict[str, str] | None = None
    """The headers. Default: {"content-type": "application/json"}."""
    body: str | None = None
    """The body as text. Default: empty."""


@dataclass(frozen=True, kw_only=True)
class Resource:
    id: str
    """The name of the API in the paths of other calls, for example resource-1."""
    url: str
    """The URL that identifies the API: the resource of a login, and the aud of its tokens. At the
    origin of the issuer, this server answers there.
    """
    metadata_url: str | None = field(default=None, metadata={"json": "metadataUrl"})
    """The URL of the metadata (RFC 9728). Absent if there is none."""
    scope: str | list[str] | None = None
    """The scopes that every request needs."""
    rules: list[ResourceRule] | None = None
    """What certain requests need in addition."""
    acr: str | list[str] | None = None
    """The values of the claim acr, of which every token must have one (RFC 9470)."""
    max_age: Duration | None = field(default=None, metadata={"json": "maxAge"})
    """How long ago the person may have signed in (RFC 9470). A number of seconds, or text such as
    "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m".
    """
    dpop: ResourceDpop | None = None
    """How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces."""
    scopes: list[str] | None = None
    """scopes_supported of the metadata. Default: the metadata names no scopes."""
    metadata: str | Literal[False] | None = None
    """Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the
    API. root: at the well-known path alone. Text that is a URL or a path: there, at the origin
    of the API. False: nowhere. Default: path.
    """
    document: Json | None = None
    """Members that the metadata has in addition, or with another value. A member with the value
    None is left out.
    """
    challenge: Literal[False] | ResourceChallenge | None = None
    """How refusals challenge the client. False: without the header WWW-Authenticate."""
    authorization_servers: list[str] | None = field(default=None, metadata={"json": "authorizationServers"})
    """The authorization servers whose tokens the API accepts: this server, its tenants, or an
    issuer that only the metadata names. Default: this server.
    """
    answer: ResourceAnswer | None = None
    """The answer to a request that the API accepts. Default: the claims of the token, as JSON."""
    requests: int
    """How many requests to the API are recorded."""


@dataclass(frozen=True, kw_only=True)
class ResourceRule:
    """What requests need, in addition to the other rules that match them. A rule without conditions
    is for every request.
    """

    path: str | None = None
    """The path of the request: /orders is for /orders and all paths below."""
    method: str | None = None
    """The method of the request: POST."""
    rpc: str | None = None
    """The JSON-RPC method in the body: tools/call."""
    tool: str | None = None
    """The name of the tool that an MCP client calls."""
    scope: str | list[str] | None = None
    """The scopes that the token must have."""
    acr: str | list[str] | None = None
    """The values of the claim acr, of which the token must have one (RFC 9470)."""
    max_age: Duration | None = field(default=None, metadata={"json": "maxAge"})
    """How long ago the person may have signed in (RFC 9470). A number of seconds, or text such as
    "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m".
    """
    refuse: bool | None = None
    """Refuses every token with insufficient_scope, even a token that has the scope."""


@dataclass(frozen=True, kw_only=True)
class ResourceDpop:
    """How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces."""

    required: bool | None = None
    """Whether it refuses bearer tokens. Default: False."""
    nonces: ResourceDpopNonces | None = None
    """Its own nonces, which the authorization server does not accept. Default: off."""


@dataclass(frozen=True, kw_only=True)
class ResourceChallenge:
    """The parameters of the header WWW-Authenticate."""

    realm: str | None = None
    """Default: the URL of the API."""
    scope: ResourceChallengeScope | Literal[False] | None = None
    """Which scopes the challenge names: all that the request needs, only those that its token
    lacks, or none. Default: needed.
    """
    metadata: bool | None = None
    """Whether the challenge names the URL of the metadata (RFC 9728 §5.1). Default: True, if there
    is metadata.
    """


@dataclass(frozen=True, kw_only=True)
class ResourceAnswer:
    """The answer to a request that the API accepts. Default: the claims of the token, as JSON."""

    status: int | None = None
    """The status. Default: 200."""
    headers: dict[str, str] | None = None
    """The headers. Default of content-type: application/json."""
    body: str | Json | list[Any] | None = None
    """Text, or an object or a list, which is sent as JSON. Default: the claims of the token."""


@dataclass(frozen=True, kw_only=True)
class RequestList:
    requests: list[RecordedRequest]
    """The matching requests, the oldest first."""
    dropped: int
    """How many old requests were removed. At most 10,000 requests and 32 MB are kept."""


@dataclass(frozen=True, kw_only=True)
class RecordedRequest:
    """A request and its response without secrets, with the facts that the server recorded."""

    id: str
    """The id of the request, which is that of its journal entry."""
    at: float
    """The time of arrival, in seconds since 1970 by the server's clock. A gate or a delay comes
    later.
    """
    endpoint: EndpointName
    """The endpoint. page: the pages, their files, preflights, and paths that the server does not
    know.
    """
    method: str
    path: str
    """The path without the query."""
    api: str | None = None
    """The URL without the query, for a request to an API of the test."""
    rpc: list[str] | None = None
    """The JSON-RPC calls in a request to an API of the test: tools/call greet."""
    status: int | None = None
    """The status of the response. Absent if guard of an API accepted the request, because the test
    answers it.
    """
    outcome: RecordedRequestOutcome
    """What became of the request. failed is a failure of the server itself."""
    duration: float
    """Seconds until the response, by the server's clock."""
    client_id: str | None = field(default=None, metadata={"json": "clientId"})
    """The client id."""
    client_auth: str | None = field(default=None, metadata={"json": "clientAuth"})
    """How the client authenticated, for example client_secret_basic or none."""
    person: str | None = None
    """The username of the person that the request is about."""
    grant_type: str | None = field(default=None, metadata={"json": "grantType"})
    """The grant_type of a token request."""
    pkce: RecordedRequestPkce | None = None
    """The code_challenge_method of an authorization request."""
    arrived_by: list[str] | None = field(default=None, metadata={"json": "arrivedBy"})
    """How an authorization request arrived, for example pushed request. Absent: as parameters in
    the address.
    """
    proven_key: str | None = field(default=None, metadata={"json": "provenKey"})
    """The key that the client proved, for example jkt and its thumbprint with DPoP."""
    scope: list[str] | None = None
    """The requested or granted scope."""
    resource: list[str] | None = None
    """The APIs that the request names in resource."""
    refusal: Refusal | None = None
    """Why the server refused the request."""
    advice: Advice | None = None
    """A rule that the request broke and that the server does not enforce, or why a token is
    inactive.
    """
    back_channel_logout: dict[str, str] | None = field(default=None, metadata={"json": "backChannelLogout"})
    """The clients that the server notified of a sign-out by back-channel logout, each with the
    result: "told", "answered 400", "did not answer" or "not allowed".
    """
    fault: str | None = None
    """The name of an unexpected error inside the server or a hook."""
    altered: list[Alteration] | None = None
    """The hooks that changed values of the server, with the seams at which they did."""
    lost: bool | None = None
    """True if the server handled the request, but a drop removed the response."""
    flow: str | None = None
    """The id of the flow. All requests of a flow have it, from the authorization to the last
    refresh.
    """
    trace: Trace | None = None
    """The trace that the client names in its header traceparent (W3C Trace Context)."""
    params: dict[str, str | list[str]]
    """The parameters of the query and the form. Harmless values are readable, all others are
    "[redacted]".
    """
    answer: Json | None = None
    """The JSON object in the response. Values that may be secret are "[redacted]"."""
    location: str | None = None
    """The URL to which the response redirects, without secrets."""
    raw: JournalEntry | None = None
    """The request and the response with their secrets. Only if raw is True."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why the server refused the request."""

    error: str
    """The error code that clients see, for example invalid_grant."""
    reason: str
    """The exact cause, for example verifier_wrong."""
    description: str
    """The cause in a sentence."""
    spec: str | None = None
    """The rule, for example RFC 7636 §4.6."""
    expected: str | None = None
    """What would be right."""
    redirect_uris: list[str] | None = field(default=None, metadata={"json": "redirectUris"})
    """The client's registered redirect URIs, with which expected begins. Only if the redirect URI
    is refused.
    """
    received: str | None = None
    """What the server received. Absent if it may be a secret."""
    change: str | None = None
    """The one change of the request with which the server would have accepted it."""
    looks_like: str | None = field(default=None, metadata={"json": "looksLike"})
    """The library that the request looks like, with the line to write: Flask-Dance 7.1:
    use_pkce=True.
    """
    instead: str | None = None
    """What the server could be told instead, and what it gives up then. Absent: it gives up
    nothing.
    """
    remedy: str | None = None
    """The configuration that says so, as JSON."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """A rule that the request broke and that the server does not enforce, or why a token is
    inactive.
    """

    reason: str
    """The exact cause, for example verifier_wrong."""
    description: str
    """The cause in a sentence."""
    spec: str | None = None
    """The rule, for example RFC 7636 §4.6."""
    expected: str | None = None
    """What would be right."""
    redirect_uris: list[str] | None = field(default=None, metadata={"json": "redirectUris"})
    """The client's registered redirect URIs, with which expected begins. Only if the redirect URI
    is refused.
    """
    received: str | None = None
    """What the server received. Absent if it may be a secret."""
    change: str | None = None
    """The one change of the request with which the server would have accepted it."""
    looks_like: str | None = field(default=None, metadata={"json": "looksLike"})
    """The library that the request looks like, with the line to write: Flask-Dance 7.1:
    use_pkce=True.
    """
    instead: str | None = None
    """What the server could be told instead, and what it gives up then. Absent: it gives up
    nothing.
    """
    remedy: str | None = None
    """The configuration that says so, as JSON."""


@dataclass(frozen=True, kw_only=True)
class Alteration:
    """A change that a hook, a misbehaviour or an option made at a seam."""

    seam: str
    by: str
    """The name of the hook, misbehaviour or option, or the place of the function if it gave no
    name: seams.response.
    """


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The trace that the client names in its header traceparent (W3C Trace Context)."""

    trace_id: str = field(metadata={"json": "traceId"})
    """32 characters. All requests of the trace have it."""
    parent_id: str = field(metadata={"json": "parentId"})
    """16 characters: the step of the caller that sent the request."""
    is_sampled: bool = field(metadata={"json": "isSampled"})
    """Whether the caller records the trace."""


@dataclass(frozen=True, kw_only=True)
class JournalEntry:
    """The request and the response with their secrets. Only if raw is True."""

    id: str
    received_at: float = field(metadata={"json": "receivedAt"})
    duration: float
    """Seconds from the request to the answer."""
    trace: Trace | None = None
    """The trace that the client names in its header traceparent (W3C Trace Context)."""
    request: RawRequest
    response: RawResponse
    facts: Json
    """The facts that the server recorded about the request."""


@dataclass(frozen=True, kw_only=True)
class RawRequest:
    headers: list[list[str]]
    body: str | None = None
    body_length: Literal["unknown"] | float | None = field(default=None, metadata={"json": "bodyLength"})
    """The length in bytes of a body that is not text. The journal does not keep such a body."""
    method: str
    path: str
    query: str


@dataclass(frozen=True, kw_only=True)
class RawResponse:
    headers: list[list[str]]
    body: str | None = None
    body_length: Literal["unknown"] | float | None = field(default=None, metadata={"json": "bodyLength"})
    """The length in bytes of a body that is not text. The journal does not keep such a body."""
    status: int
    """The status of the answer."""


@dataclass(frozen=True, kw_only=True)
class GuardedRequest:
    accepted: bool
    """Whether the request may reach the API."""
    claims: Json | None = None
    """The claims of the token, if the request is accepted."""
    response: GuardedRequestResponse | None = None
    """The response to send instead, if the request is not accepted."""


@dataclass(frozen=True, kw_only=True)
class GuardedRequestResponse:
    """The response to send instead, if the request is not accepted."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass(frozen=True, kw_only=True)
class OtherAddress:
    id: str
    """The name of the address in the path of DELETE, for example route-1."""
    route: str
    """The method and the URL: "GET https://api.github.com/user/orgs". A path instead of the URL is
    at the origin of the issuer. At the hosts of a look-alike, programs behind the proxy reach
    it.
    """
    status: int | None = None
    """The status. Default: 200."""
    headers: dict[str, str] | None = None
    """The headers. Default of content-type: application/json."""
    body: str | Json | list[Any] | None = None
    """Text, or an object or a list, which is sent as JSON. Default: empty."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    id: str
    """The name of the gate in the paths of other calls, for example gate-1."""
    endpoint: EndpointName
    """The endpoint. page: the pages, their files, preflights, and paths that the server does not
    know.
    """
    kind: GateKind
    """hold: requests wait for a release. delay: requests wait for a time. fail: requests get an
    error before the server handles them. drop: the server handles the requests, and the
    responses are lost.
    """
    count: int | None = None
    """How many requests fail. Later requests pass. Default: all requests."""
    by: Duration | None = None
    """How long a delay is. Seconds as a number, or text with the units d, h, m, s and ms: "90s",
    "1d 3h".
    """
    status: int | None = None
    """The status: 429, or from 500 to 599. Default: 503. Only for the kind fail."""
    retry_after: Duration | None = field(default=None, metadata={"json": "retryAfter"})
    """The header Retry-After, which some clients obey in real time, rounded up to seconds. Default:
    no header. A number of seconds, or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or
    "-5m". Only for the kind fail.
    """
    waiting: int | None = None
    """How many requests are waiting now. Only for the kind hold."""


@dataclass(frozen=True, kw_only=True)
class WatchedGate:
    id: str
    """The name of the gate in the paths of other calls, for example gate-1."""
    endpoint: EndpointName
    """The endpoint. page: the pages, their files, preflights, and paths that the server does not
    know.
    """
    kind: GateKind
    """hold: requests wait for a release. delay: requests wait for a time. fail: requests get an
    error before the server handles them. drop: the server handles the requests, and the
    responses are lost.
    """
    count: int | None = None
    """How many requests fail. Later requests pass. Default: all requests."""
    by: Duration | None = None
    """How long a delay is. Seconds as a number, or text with the units d, h, m, s and ms: "90s",
    "1d 3h".
    """
    status: int | None = None
    """The status: 429, or from 500 to 599. Default: 503. Only for the kind fail."""
    retry_after: Duration | None = field(default=None, metadata={"json": "retryAfter"})
    """The header Retry-After, which some clients obey in real time, rounded up to seconds. Default:
    no header. A number of seconds, or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or
    "-5m". Only for the kind fail.
    """
    waiting: int | None = None
    """How many requests are waiting now. Only for the kind hold."""
    arrived: bool
    """Whether that many requests have come."""


@dataclass(frozen=True, kw_only=True)
class Hook:
    id: str
    """The name of the hook in the path of DELETE, for example hook-1."""
    name: HookName
    """The value to change."""
    patch: Json
    """The members to change."""
    once: bool | None = None
    """The hook runs only for the first value that matches the endpoint, the client and the person."""
    client: str | None = None
    """The id of the client that the hook runs for. Default: any client."""
    username: str | None = None
    """The username of the person that the hook runs for. Default: any person, or none."""
    endpoint: EndpointName | None = None
    """Runs the hook only for requests to this endpoint. Only for the hooks jwt, signed and
    response.
    """
    used: int
    """How many values the hook has changed."""


@dataclass(frozen=True, kw_only=True)
class Misbehaviour:
    name: str
    """Its name: id_token.alg_none."""
    area: MisbehaviourArea
    """Where the server is wrong."""
    needs: str | None = None
    """Which clients can meet it, if not all can."""
    variants: list[str] | None = None
    """The variants, if it has several."""
    level: Level
    """What a standard says about it. must and should: the client has to notice. tolerate: the
    server is only unusual, and the client has to go on. robustness: a correct client goes on,
    but no rule says so. hardening: it is wise to notice, but no rule says so.
    """
    phase: MisbehaviourPhase
    """The part of the client's work that meets it."""
    server: str
    """One sentence: what the server does. "The ID token has the alg none and no signature." """
    client: str
    """One sentence: what a correct client does. "Refuses the ID token." """
    rule: str
    """The rule with its section: "OpenID Connect Core §3.1.3.7 (7)"."""
    bugs: list[str] | None = None
    """Public reports of bugs that this misbehaviour would have shown: "LibreChat#12266"."""
    api: Json | None = None
    """How an API must answer, if the fault is in an access token."""


@dataclass(frozen=True, kw_only=True)
class ActiveMisbehaviour:
    id: str
    """Its name in the paths of other calls, for example misbehaviour-1."""
    name: MisbehaviourName
    """The name in the catalogue."""
    client: str | None = None
    """The id of the client to which the server misbehaves. Default: every client."""
    username: str | None = None
    """The username of the person about whom the server misbehaves. Default: everyone."""
    times: int | None = None
    """How many answers are wrong. Later answers are right. Default: all answers."""
    probability: float | None = None
    """The probability of a wrong answer, from 0 to 1, drawn with the mock's seed. Default: 1."""
    variant: str | None = None
    """The variant of the misbehaviour, if it has several. Default: the first."""
    count: int
    """How many answers were wrong."""
    verdict: MisbehaviourVerdict
    """Whether the client noticed a misbehaviour."""


@dataclass(frozen=True, kw_only=True)
class MisbehaviourVerdict:
    """Whether the client noticed a misbehaviour."""

    outcome: Outcome
    """pending: the run is not over. noticed: the client refused. unharmed: it showed no check, and
    did no harm. fooled: it went on as if nothing were wrong. tolerated and broke: it went on, or
    not, where a correct client goes on. crashed: its own code failed. not_applicable: it does
    not do what the fault is about. not_reached: it never met the fault. unknown: nothing shows
    what it did.
    """
    because: str
    """One sentence that says why."""
    requests: list[RecordedRequest]
    """The requests that show it: the ones with wrong answers first."""


@dataclass(frozen=True, kw_only=True)
class LookAlike:
    id: str
    """Its name in the paths of other calls, for example look_alike-1."""
    name: LookAlikeName
    """The provider."""
    client: str | None = None
    """The id of the client to which the server looks like the provider. Default: every client."""
    host: str | None = None
    """The host of the tenant, if each tenant of the provider has its own: "shop.eu.auth0.com".
    Default: an invented one.
    """
    count: int
    """How many answers were as the provider sends them."""


@dataclass(frozen=True, kw_only=True)
class Server:
    issuer: str
    """The issuer of this server or tenant."""
    openapi: str | None = None
    """The path of the OpenAPI document."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    id: str
    """The name of the snapshot in the paths of other calls, for example snapshot-1."""
    at: float
    """The time of the server's clock, in seconds since 1970."""
