/** Short explanations of the parameters, members, claims and headers that an exchange may have. */

/** The explanations in one language, by the names of what they explain. Maps, because a client may send `constructor`. */
export interface Explanations {
  /** Parameters of queries and forms, and members of JSON bodies. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Claims of JWTs, and members of userinfo and introspection. */
  readonly claims: ReadonlyMap<string, string>;
  /** Claims of JWTs that clients make, by the parameter or header that carries them. */
  readonly clientClaims: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Members of responses that mean something else than the parameter with the same name. */
  readonly responses: ReadonlyMap<string, string>;
  /** Members of the header of a JWT. */
  readonly jwtHeader: ReadonlyMap<string, string>;
  /** HTTP headers, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

const parameters: ReadonlyMap<string, string> = new Map([
  // Authorization requests
  ["client_id", "Which client sends the request."],
  ["redirect_uri", "Where the server sends the browser back to."],
  ["response_type", "What the client wants back: code means an authorization code."],
  ["response_mode", "How the answer comes back: in the query, in the fragment, or in a form."],
  ["scope", "What the client wants to be allowed, as names separated by spaces."],
  ["resource", "The API for which the token is meant. It becomes aud of the access token."],
  ["audience", "The API for which the token is meant, as some providers call it."],
  ["state", "A value that the server sends back, so that the client recognizes its own login."],
  [
    "nonce",
    "A value for the ID token, so that the client recognizes the ID token of its own login.",
  ],
  [
    "code_challenge",
    "The hash of a secret that the client keeps: BASE64URL(SHA256(code_verifier)). PKCE, RFC 7636.",
  ],
  ["code_challenge_method", "How the challenge is made from the verifier. Only S256 is secure."],
  ["prompt", "Whether the server asks the person: none, login, consent, select_account."],
  ["max_age", "After how many seconds a sign-in is too old, so that the person signs in again."],
  ["login_hint", "Whom the client expects to sign in."],
  ["id_token_hint", "An ID token from an earlier login, which names the person."],
  ["ui_locales", "The languages that the person prefers."],
  ["acr_values", "How strongly the person is to be authenticated, as names of methods."],
  ["claims", "Single claims that the client wants, as JSON."],
  ["display", "How the page is shown, for example in a popup."],
  ["request", "The whole request as a signed JWT, a request object (RFC 9101)."],
  ["request_uri", "A reference to a request that the client pushed before (RFC 9126)."],
  ["dpop_jkt", "The thumbprint of the key to which the code is bound (RFC 9449)."],
  ["authorization_details", "What the client wants to be allowed, as JSON (RFC 9396)."],
  ["continue", "The sealed authorization request, while the person answers the questions of the server."],
  ["sealed_request", "The sealed authorization request, which only this browser can use."],
  // Authorization responses
  ["code", "The authorization code. It can be exchanged for tokens once, and soon."],
  ["iss", "Says which issuer answers, so that the client can notice an answer of another server (RFC 9207)."],
  ["error", "The error code."],
  ["error_description", "The error in a sentence, for developers."],
  ["error_uri", "A page about the error."],
  ["session_state", "Lets the client notice a sign-out."],
  ["response", "The authorization response as a signed JWT."],
  // Token requests
  [
    "grant_type",
    "What the client exchanges for tokens: a code, a refresh token, or only its own credentials.",
  ],
  [
    "code_verifier",
    "The secret whose hash was the code_challenge. It proves that this client began the login.",
  ],
  ["refresh_token", "Gets new tokens without the person. The response may replace it by a new one."],
  ["client_secret", "The password of the client. It is never shown here."],
  ["client_assertion", "A signed JWT by which the client authenticates instead of a secret."],
  ["client_assertion_type", "Which kind of assertion it is."],
  ["token", "The token that the request is about."],
  ["token_type_hint", "Which kind of token it probably is."],
  ["subject_token", "The token that is exchanged for another one."],
  // Token responses
  ["access_token", "Lets the client call APIs. What is in it is for the API."],
  ["token_type", "How the access token is sent: Bearer means that every holder may use it."],
  ["expires_in", "After how many seconds the access token expires."],
  ["id_token", "Tells the client who signed in. It is for the client, and for no API."],
  ["active", "Whether the token is valid now."],
  ["username", "The name with which the person signs in."],
  // Sign-in, consent and sign-out
  ["person", "The person who was chosen on the page."],
  ["account", "The account that was chosen on the page."],
  ["decision", "What the person decided."],
  ["password", "The password that the person typed. It is never shown here."],
  ["post_logout_redirect_uri", "Where the browser goes after the sign-out."],
  ["logout_hint", "Whom to sign out."],
  ["logout_token", "Tells a client that the session of a person has ended."],
  // Registration and metadata
  ["redirect_uris", "Where this client may have browsers sent back to."],
  ["client_name", "The name that people see."],
  ["grant_types", "What this client may exchange for tokens."],
  ["response_types", "What this client may ask for at the authorization endpoint."],
  ["token_endpoint_auth_method", "How this client authenticates."],
  ["registration_access_token", "Lets the client read and change its registration."],
  ["registration_client_uri", "Where the client reads and changes its registration."],
  ["client_id_issued_at", "When the client was registered."],
  ["client_secret_expires_at", "When the secret expires. 0 means never."],
  ["issuer", "The name of the server. Every token has it as iss."],
  ["authorization_endpoint", "Where the browser goes for a login."],
  ["token_endpoint", "Where the client gets tokens."],
  ["jwks_uri", "Where the public keys of the server are."],
  ["keys", "The public keys with which clients and APIs check signatures."],
]);

const claims: ReadonlyMap<string, string> = new Map([
  ["iss", "Says who issued the token."],
  ["sub", "Whom the token is about: the stable identifier of the person or the client."],
  [
    "aud",
    "Says for whom it is: the client for an ID token, the API for an access token.",
  ],
  ["exp", "When the token expires, by the server's clock."],
  ["iat", "When the token was issued, by the server's clock."],
  ["nbf", "From when on the token is valid."],
  ["jti", "The identifier of this token."],
  ["auth_time", "When the person signed in."],
  ["nonce", "Says to which authorization request the ID token belongs: the one with the same nonce."],
  ["acr", "How strongly the person was authenticated."],
  ["amr", "The methods by which the person was authenticated."],
  ["azp", "The client to which the ID token was issued."],
  ["at_hash", "Half of a hash, which binds the ID token to one access token."],
  ["c_hash", "Half of a hash, which binds the ID token to one code."],
  ["s_hash", "Half of a hash, which binds the ID token to one state."],
  ["sid", "The session at the server, for sign-out."],
  ["client_id", "The client to which the token was issued."],
  ["scope", "What the token allows."],
  ["cnf", "The key to which the token is bound."],
  ["cnf.jkt", "The thumbprint of the key to which the token is bound."],
  ["act", "Who acts for the person."],
  ["events", "What happened, for a sign-out or a security event."],
  ["htm", "The method of the request that the proof is for."],
  ["htu", "The address of the request that the proof is for."],
  ["ath", "The hash of the access token that goes with the proof."],
  ["name", "The full name of the person."],
  ["given_name", "The first name."],
  ["family_name", "The last name."],
  ["preferred_username", "The name that the person wants to be called by. It may change."],
  ["email", "The email address."],
  ["email_verified", "Whether the address was verified."],
  ["picture", "The address of a picture."],
  ["locale", "The language of the person."],
  ["zoneinfo", "The time zone of the person."],
  ["updated_at", "When the profile changed last."],
  ["phone_number", "The phone number."],
  ["address", "The postal address."],
  ["groups", "The groups of the person."],
  ["roles", "The roles of the person."],
]);

const clientClaims: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    "client_assertion",
    new Map([
      ["iss", "The client that made the assertion, by its client_id."],
      ["sub", "The client that authenticates, by its client_id."],
      ["aud", "For which server the assertion is, by its issuer."],
      ["exp", "When the assertion expires, by the client's clock."],
      ["iat", "When the client made the assertion, by its own clock."],
      ["nbf", "From when on the assertion is valid, by the client's clock."],
      ["jti", "The identifier of the assertion, which is for one request."],
    ]),
  ],
  [
    "request",
    new Map([
      ["iss", "The client that made the request object, by its client_id."],
      ["aud", "For which server the request object is, by its issuer."],
      ["exp", "When the request object expires, by the client's clock."],
      ["iat", "When the client made the request object, by its own clock."],
      ["nbf", "From when on it is valid, by the client's clock."],
      ["jti", "The identifier of the request object."],
      ["nonce", "The value for the ID token."],
      ["scope", "What the client wants to be allowed."],
    ]),
  ],
  [
    "dpop",
    new Map([
      ["iat", "When the client made the proof, by its own clock."],
      ["exp", "When the proof expires, by the client's clock."],
      ["jti", "The identifier of the proof, which is for one request."],
      ["nonce", "The nonce of an earlier DPoP-Nonce header."],
    ]),
  ],
]);

const responses: ReadonlyMap<string, string> = new Map([
  ["scope", "What the token allows: the granted scope."],
  ["state_returned", "The state of the request, unchanged."],
  ["state_changed", "Not the state of the request."],
  ["state_unasked", "The request had no state."],
  ["state_uncompared", "The state of the response. The journal has no request to compare it with."],
  ["username", "The name with which the person of the token signs in."],
]);

const jwtHeader: ReadonlyMap<string, string> = new Map([
  ["alg", "The algorithm of the signature."],
  ["kid", "Names a key of the JWKS."],
  ["typ", "Which kind of JWT it is: at+jwt is an access token."],
  ["jwk", "The public key for the signature, as the sender says."],
  ["jku", "Where keys are, as the sender says."],
  ["x5c", "The certificate of the key."],
  ["crit", "The extensions that the sender marks as critical."],
  ["cty", "What the content is."],
  ["b64", "Whether the content is encoded."],
]);

const headers: ReadonlyMap<string, string> = new Map([
  ["authorization", "The credentials: of the client at the token endpoint, or the access token at an API."],
  ["dpop", "A proof that the sender has the key to which the token is bound (RFC 9449)."],
  ["dpop-nonce", "The nonce for the next proof."],
  ["www-authenticate", "How to authenticate, and what was wrong."],
  ["content-type", "The format of the body."],
  ["cache-control", "Whether the response may be kept: no-store forbids it."],
  ["pragma", "The old form of Cache-Control."],
  ["location", "Where the browser goes next."],
  ["origin", "The site of the page that sent the request."],
  ["host", "The server that the request is for."],
  ["cookie", "The cookies of the browser. Their values are never shown here."],
  ["set-cookie", "A cookie that the browser keeps. Its value is never shown here."],
  ["referrer-policy", "Keeps codes in addresses from other sites."],
  ["content-security-policy", "What the page may load."],
  ["x-frame-options", "Whether another site may show the page in a frame."],
  ["access-control-allow-origin", "Which pages may read the response."],
  ["retry-after", "After how many seconds to try again."],
  ["sec-fetch-site", "Whether the page that sent the request is of the same site. The browser says so."],
  ["sec-fetch-mode", "How the browser made the request: navigate is a link or a redirect."],
  ["sec-fetch-dest", "What the browser wants to do with the response."],
  ["user-agent", "The program that sent the request."],
  ["accept", "The formats that the sender reads."],
  ["accept-language", "The languages that the person prefers."],
  ["allow", "The methods that the address takes."],
  ["vary", "The request headers on which the response depends."],
  ["x-content-type-options", "Keeps browsers from guessing the format."],
  ["etag", "The version of the response."],
]);

export const explanations: Explanations = {
  parameters,
  claims,
  clientClaims,
  responses,
  jwtHeader,
  headers,
};
