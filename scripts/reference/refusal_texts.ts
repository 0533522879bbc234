/** Texts for docs/reference/refusals.md where the code decides at run time what it says. */

/** The rules that the code chooses at run time. */
export const specTexts: Readonly<Record<string, string>> = {
  client_cannot_start: "RFC 9126 §6, RFC 9101 §10.5",
  request_source_required: "RFC 9126 §6, RFC 9101 §10.5",
};

/** What was expected. An empty text leaves it out, because the sentence says it. */
export const expectedTexts: Readonly<Record<string, string>> = {
  missing_parameter: "",
  not_a_form: "",
  client_id_missing: "",
  client_keys_unavailable: "a JWK Set of public keys at the client's `jwks_uri`",
  sector_unverified: "a JSON array with all redirect URIs at the client's `sector_identifier_uri`",
  client_document_url:
    "an https URL with a path. If the issuer is on loopback, also a URL on this machine, " +
    "unless a page of another site makes the request",
  client_document_unavailable:
    "JSON of at most 5 KB, with the status 200 and without a redirect, within 5 seconds",
  client_document_invalid: "a document that follows the rules of RFC 7591, and has no secret",
  challenge_method_missing: "",
  challenge_method_alone: "",
  challenge_method_unsupported: "",
  host_unknown: "the host of the issuer. If the other name is right, make it the issuer",
  assertion_audience:
    'the issuer. With `client_assertion_audience: "endpoint"`, also the address of the endpoint',
  assertion_too_long: "at most 3,600 seconds",
  assertion_issuer: "the `client_id`",
  assertion_subject: "the `client_id`",
  assertion_unsupported: "another method of client authentication",
  first_use_taken: "the redirect URI that was approved",
  public_client_sent_secret: "no secret, because the client is public",
  scope_of_nobody: "a `scope` with a name other than `openid` and `offline_access`, which need a person",

  secret_not_encoded: 'a form-encoded secret, because the client has `client_secret_basic: "encoded"`',
  secret_wrong: "the secret of this client",
  initial_access_token_missing: "`Authorization: Bearer` with one of `registration.initialAccessTokens`",
  initial_access_token_wrong: "one of `registration.initialAccessTokens`, or no token if none are configured",
  registration_token_wrong:
    "the `registration_access_token` of the last response to this client, because each update " +
    "replaces it, and a client that is still registered",
  software_statement_issuer_unknown: "an `iss` of `registration.softwareStatements`",
  secret_expired: "a new secret. The client updates its registration (RFC 7592 §2.2), or registers again",
  acr_unmet: "one of the server's `acrValues`",
  prompt_unsupported: "values that the server supports",
  redirect_uri_required_by_openid: "the client's registered redirect URI",
  redirect_uri_unregistered:
    "one of the client's registered redirect URIs. If first use is on, a client that is " +
    "not configured can have a redirect URI on this machine",
  response_mode_unsupported: "a response mode that the server supports",
  response_type_missing: "a response type that the server supports",
  response_type_unsupported: "a response type that the server supports",
  request_object_algorithm: "the client's `request_object_signing_alg`",
  assertion_algorithm: "the client's `token_endpoint_auth_signing_alg`",
  request_object_audience: "the issuer",
  request_object_issuer: "the `client_id`",
  request_object_signature: "a key of the client's `jwks` or `jwks_uri`, and an algorithm that fits it",
  request_object_too_long: "at most 3,600 seconds",
  request_object_unsigned: "a JWT that a key of the client signs",
  pushed_request_expired: "a first look within `lifetimes.pushedRequest`",
  pushed_request_unknown:
    "a `request_uri` of this server that is not older than `lifetimes.pushedRequest`. A restart " +
    "with a memory store forgets all of them",
  too_many_pushed_requests: "at most 1200 a minute from one address, without a secret or a key",
  code_expired: "a redemption within `lifetimes.code`",
  code_of_another_client: "the client to which the code was issued",
  grant_type_unsupported: "a grant type that the server supports",
  proof_missing: "a proof of possession",
  redirect_uri_differs: "the redirect URI of the authorization request",
  refresh_expired: "a use within `lifetimes.refreshIdle` after the last one, and within " +
    "`lifetimes.refreshAbsolute` after the first refresh token",
  refresh_of_another_client: "the client to which the refresh token was issued",
  refresh_reused: "the refresh token of the latest response",
  resource_not_granted: "a resource that was granted",
  resource_unknown: "one of the server's `resources`",
  scope_not_granted: "names of the granted scope",
  scope_unknown: "names of the server's `scopes`",
  password_needed: "the password",
  person_disabled: "a person whose account is not disabled",
  wrong_password: "",
  token_of_another_client: "the client to which the token was issued",
  hint_of_another_client: "the client to which the ID token was issued",
  post_logout_uri_unregistered:
    "one of the client's `post_logout_redirect_uris`. For a first-use client, an address " +
    "at the origin of its redirect URI",
  inactive_early: "an nbf in the past",
  inactive_expired: "an exp in the future",
  inactive_other_issuer: "the issuer of this server",
  inactive_signature: "the kid and the algorithm of a published key",
  inactive_token_type: "the typ of an access token",
};

/** Whole texts, one for each situation. Each sentence of the code must be the start of one of them. */
export const situations: Readonly<Record<string, readonly string[]>> = {
  path_unknown: [
    "There is nothing at this address. If an endpoint has a similar address, a second sentence names it.",
    "There is nothing at this address. Expected: an address below the issuer.",
  ],
  client_id_differs: [
    "This request was made for another client. Expected: the `client_id` for which it was made.",
    "The request names two clients. Expected: one `client_id`.",
  ],
  client_not_proven: [
    "Introspection is for clients that authenticate. Expected: a configured client, or a first-use client that has " +
    "exchanged a code with its secret.",
    "This client has not proven its identity yet. Expected: a configured client, or a first-use client that has " +
    "exchanged a code with its secret.",
  ],
  public_client_introspects: [
    "Introspection is for clients that authenticate. Expected: a client with a secret or a key.",
  ],
  client_unknown: [
    "This client is not known here. Expected: a `client_id` that the server knows.",
    "This client is not known here, and first use does not accept its redirect URI. Expected: a redirect URI on " +
    "this machine.",
    "Client authentication failed. Expected: a `client_id` that the server knows.",
  ],
  metadata_invalid: ["*The place of the value* must be *the expected value*."],
  metadata_needs_initial_access_token: [
    "`grant_types` must be `authorization_code` and `refresh_token` only: others need an initial access token.",
  ],
  redirect_uri_invalid: ["`redirect_uris` must be *the expected value*."],
  redirect_uri_needs_initial_access_token: [
    "`redirect_uris` must be http on loopback or a private scheme: others need an initial access token.",
  ],
  first_use_full: [
    "The server keeps at most 200 clients that are not configured. Expected: a configured client, or one of the 200. " +
    "All 200 have valid codes or tokens. Configure the client, or restart the server, which forgets them if its store " +
    "is in memory.",
  ],
  method_not_registered: [
    "This client must authenticate with *its registered method*. The request uses another method.",
  ],
  redirect_uri_unfit: [
    "A client cannot have this redirect URI. Expected: no fragment, and no parameter that the response adds, such as " +
    "`code` or `state`.",
  ],
  secret_missing: [
    "This client must authenticate with *its registered method*. The request has no credentials.",
  ],
  openid_for_itself: [
    "The scope `openid` or `offline_access` needs a person, but this client acts for itself.",
  ],
  already_approved: ["This request has already been approved. Expected: one answer to one request."],
  already_denied: ["This request has already been denied. Expected: one answer to one request."],
  assertion_expired: describeTimes("The `client_assertion`"),
  request_object_expired: describeTimes("The request object"),
  software_statement_expired: [
    "The `software_statement` has expired. Expected: an `exp` in the future.",
    "The `software_statement` is not valid yet. Expected: no `nbf` in the future.",
  ],
  challenge_missing: [
    "PKCE is required: `code_challenge` and `code_challenge_method=S256` are missing. Expected: the hash of the " +
    "`code_verifier`, as `BASE64URL(SHA256(code_verifier))`.",
    "The request needs PKCE or openid in the scope and a nonce, and has neither. It names what the request lacks. This " +
    "is for a configured client with a secret or a key, and `require_pkce: false`.",
    "The request needs PKCE or openid in the scope, and has neither. This is for such a client with " +
    '`oauth_version: "2.0"` as well.',
  ],
  challenge_and_nonce_missing: [
    "The request needs PKCE or a nonce, and has neither. This is for a configured client with a secret or a key, and " +
    "`require_pkce: false`.",
  ],
  cross_site_request: [
    "A page of another site made this request in the background. Expected while sign-in is automatic: a link or a " +
    "redirect that opens a page, or an iframe with `prompt=none`.",
    "127.0.0.1 and localhost are different sites. The console says so if the application uses the other one.",
  ],
  first_method_needs_key: [
    "This client cannot authenticate with *its method*. Expected: a secret, or no credentials, because a first-use " +
    "client has no keys.",
  ],
  parameters_beside_request: [
    "With `request`, all other parameters must be inside of it. Expected: `request` and the credentials of the client.",
  ],
  form_not_ours: [
    "This server did not create this form, or this address, for this browser. Expected: the cookies that came with " +
    "it. Allow cookies, and start again from the application.",
  ],
  form_too_old: ["This form, or this address, is more than an hour old: start again."],
  parameter_unsupported: ["The parameter `request`, `request_uri` or `registration` is not supported."],
  redirect_uri_missing: [
    "The `redirect_uri` of the authorization request must be repeated. Expected: that redirect URI, or a client " +
    'with `oauth_version: "2.1"`.',
    "This client has several redirect URIs: add `redirect_uri`. Expected: one of them.",
    "The parameter `redirect_uri` is missing. Expected: the client's redirect URI, or a client with " +
    '`oauth_version: "2.1"`.',
  ],
  method_not_allowed: ["This address takes *the allowed methods*."],
  decision_missing: [
    "The form does not say what was decided. Expected: `decision=approve`, `decision=deny` or `decision=change_person`.",
  ],
  client_lacks_code_flow: [
    "This client may not use response_type *response type*. Expected: one of the client's `response_types`.",
  ],
  grant_type_not_for_client: [
    "This client may not use grant_type *grant type*. Expected: one of the client's `grant_types`.",
  ],
  repeated_parameter: ["The parameter *name* must not be repeated."],
  client_cannot_start: [
    "People cannot sign in to this client, so no flow of it can start. Expected: a client with `authorization_code` " +
    "among its `grant_types`, and `redirect_uris`.",
    "A link cannot start a flow of this client: start it in the application. Expected: a *kind of request*, which only " +
    "the client itself can send.",
  ],
  request_source_required: [
    "This client must send each request as a *kind of request*. Expected: `client_id` and the parameter that carries it.",
  ],
  token_of_unknown_key: ["No published key has kid *kid* and signs with *algorithm*."],
  token_of_another_type: [
    "The token is not an access token: its typ is *the typ of access tokens*, but it has no `client_id`, or it has " +
    "`at_hash`.",
    "The token is not an access token: its typ must be *the typ of access tokens*, not *another*.",
  ],
  issuer_differs: ["The token is not from *the issuer*: its issuer is *another*."],
  too_many_attempts: [
    "Too many attempts to sign in as *username*. Expected: no attempt for some seconds. Until then, the right " +
    "password is refused, too.",
  ],
  too_many_from_one_address: [
    "Too many failed attempts from one address. Expected: no attempt for some seconds. Until then, the right " +
    "password is refused, too.",
  ],
  unexpected_error: ["The server failed. Its journal has the cause under *the id of the request*."],
  two_request_sources: ["*Two parameters that each carry a whole request* cannot be combined."],
  too_many_failures: ["Too many failed attempts: wait *seconds* s."],
  key_differs: [
    "The request does not prove the key that its code or refresh token is bound to. It proves another key.",
  ],
  key_unproven: [
    "The request does not prove the key that its code or refresh token is bound to. It proves no key.",
  ],
  scope_not_for_client: [
    "This client may not ask for the scope *names*. Expected: names of the client's `scope`.",
  ],
  token_ended: [
    "The token has ended: *its cause*.",
    "The access token is not valid. Expected: a token that is not revoked, and whose grant has not ended.",
    "The access token is not valid. Expected: an access token, and not a refresh token.",
  ],
  token_expired: [
    "The token expired *seconds* seconds ago.",
    "The access token is not valid. Expected: a token that has not expired.",
  ],
  token_for_another_audience: [
    "The token is not for *this API*, but for *other audiences*.",
    "The access token is for another resource. Expected: the audience of this resource in `aud`.",
  ],
  token_lacks_scope: [
    "The token lacks the scope *names*.",
    "The access token lacks the scope *names*.",
  ],
  token_unknown: [
    "The server does not know this token: it has expired, or another server issued it.",
    "The access token is not valid. Expected: a token that this server issued and still knows.",
  ],
  inactive_for_client: [
    "The token is valid, but inactive for the client *client id*, which may not see it. Expected for a refresh " +
    "token: the client to which it was issued.",
    "For an access token, also a client whose `introspects` names the API of the token.",
  ],
};

function describeTimes(jwt: string): readonly string[] {
  return [
    `${jwt} has expired. Expected: an \`exp\` in the future.`,
    `${jwt} is not valid yet. Expected: no \`nbf\` and no \`iat\` in the future.`,
    `${jwt} has no valid exp. It says the same of an \`nbf\` and an \`iat\` that is not a number.`,
  ];
}
