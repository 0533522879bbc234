// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#changeClient}. */
public final class ChangeClientOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ChangeClientOptions() {}

  /** The secret of the client. A client without a secret is public. */
  public ChangeClientOptions clientSecret(String clientSecret) {
    return put("client_secret", clientSecret);
  }

  /** The name that people see when they are asked for consent. */
  public ChangeClientOptions clientName(String clientName) {
    return put("client_name", clientName);
  }

  /**
   * Where the browser may be sent back to: https, http on this machine, or the private scheme of an
   * app (com.example.app:/callback). A configured client may also have the scheme of a program that
   * is no reversed domain name, unless a browser or an operating system handles it
   * (cursor://anysphere.cursor-mcp/oauth/callback). A request must name one of them exactly. Only
   * the port of a loopback address may differ.
   */
  public ChangeClientOptions redirectUris(String... redirectUris) {
    return put("redirect_uris", List.of(redirectUris));
  }

  /**
   * true: the redirect URIs, jwks_uri and backchannel_logout_uri may be http at private addresses
   * (http://192.168.1.5/cb) and local names (http://app:3000/cb). Use it in a test network only,
   * because others in the network can read the codes. Public hosts need https in any case (RFC 9700
   * §2.6). (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions allowPrivateHttp(boolean allowPrivateHttp) {
    return put("allow_private_http", allowPrivateHttp);
  }

  /** How the client authenticates. Default: none without a secret, client_secret_basic with one. */
  public ChangeClientOptions tokenEndpointAuthMethod(String tokenEndpointAuthMethod) {
    return put("token_endpoint_auth_method", tokenEndpointAuthMethod);
  }

  /**
   * The grant types that the client may use. Default: authorization_code, refresh_token, and for a
   * client with a secret or a key client_credentials.
   */
  public ChangeClientOptions grantTypes(String... grantTypes) {
    return put("grant_types", List.of(grantTypes));
  }

  /**
   * ["code"], or [] for a client that never sends people to sign in. Default: ["code"] for a client
   * that may use authorization_code.
   */
  public ChangeClientOptions responseTypes(String... responseTypes) {
    return put("response_types", List.of(responseTypes));
  }

  /** The scopes that the client may request, separated by spaces. Default: every scope. */
  public ChangeClientOptions scope(String scope) {
    return put("scope", scope);
  }

  /**
   * false: a request with openid in its scope may omit PKCE if it sends a nonce. Default: true.
   * (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions requirePkce(boolean requirePkce) {
    return put("require_pkce", requirePkce);
  }

  /**
   * true: a person who has agreed is not asked again. false: a person is asked each time. Default:
   * true with an https redirect URI, and on loopback for a client with a secret or a key. (Not a
   * registered name: only this server reads it.)
   */
  public ChangeClientOptions rememberConsent(boolean rememberConsent) {
    return put("remember_consent", rememberConsent);
  }

  /**
   * pairwise: clients on different hosts get different values of sub for the same person. Default:
   * public.
   */
  public ChangeClientOptions subjectType(ClientSubjectType subjectType) {
    return put("subject_type", subjectType);
  }

  /**
   * Left out: the authorization request and the token request need redirect_uri. 2.1: the token
   * request may leave redirect_uri out, and so may the authorization request if the client has only
   * one redirect URI and the scope lacks openid. 2.0: with require_pkce false, a request with
   * openid in its scope needs no nonce. (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions oauthVersion(ClientOauthVersion oauthVersion) {
    return put("oauth_version", oauthVersion);
  }

  /** true: the client must push its authorization requests (RFC 9126 §6). Default: false. */
  public ChangeClientOptions requirePushedAuthorizationRequests(boolean requirePushedAuthorizationRequests) {
    return put("require_pushed_authorization_requests", requirePushedAuthorizationRequests);
  }

  /**
   * The public keys of the client. private_key_jwt and signed requests need them, or jwks_uri. The
   * server encrypts with a key whose use is enc.
   */
  public ChangeClientOptions jwks(Consumer<ClientJwksOptions> jwks) {
    return put("jwks", ClientJwksOptions.of(jwks));
  }

  /**
   * The address of the client's public keys, instead of jwks. The server fetches it when it needs
   * them.
   */
  public ChangeClientOptions jwksUri(String jwksUri) {
    return put("jwks_uri", jwksUri);
  }

  /** The only algorithm that may sign the client's request objects. Default: any that its keys fit. */
  public ChangeClientOptions requestObjectSigningAlg(SigningAlgorithm requestObjectSigningAlg) {
    return put("request_object_signing_alg", requestObjectSigningAlg);
  }

  /**
   * bounded: a request object must have exp and nbf, nbf at most an hour ago and exp at most an
   * hour after it, and its aud may be a list with the issuer (FAPI 2.0 Message Signing). Default:
   * usual. (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions requestObjectTimes(ClientRequestObjectTimes requestObjectTimes) {
    return put("request_object_times", requestObjectTimes);
  }

  /** true: the client must sign its authorization requests (RFC 9101 §10.5). Default: false. */
  public ChangeClientOptions requireSignedRequestObject(boolean requireSignedRequestObject) {
    return put("require_signed_request_object", requireSignedRequestObject);
  }

  /**
   * The only algorithms that the client may sign with. Default: acceptedAlgorithms. (Not a
   * registered name: only this server reads it.)
   */
  public ChangeClientOptions acceptedSigningAlgs(SigningAlgorithm... acceptedSigningAlgs) {
    return put("accepted_signing_algs", List.of(acceptedSigningAlgs));
  }

  /**
   * Seconds since the last sign-in after which a person must sign in again, if a request has no
   * max_age.
   */
  public ChangeClientOptions defaultMaxAge(int defaultMaxAge) {
    return put("default_max_age", defaultMaxAge);
  }

  /**
   * The types of authorization_details that the client may request (RFC 9396 §10). Default: every
   * type from a person, and none with client_credentials.
   */
  public ChangeClientOptions authorizationDetailsTypes(String... authorizationDetailsTypes) {
    return put("authorization_details_types", List.of(authorizationDetailsTypes));
  }

  /**
   * true: each sign-in at this client needs the second factor. Default: if its request asks for it.
   * (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions requireSecondFactor(boolean requireSecondFactor) {
    return put("require_second_factor", requireSecondFactor);
  }

  /** The web site of the client. */
  public ChangeClientOptions clientUri(String clientUri) {
    return put("client_uri", clientUri);
  }

  /**
   * The logo of the client. Pages show no logo, because a foreign image would tell its host who
   * opens a page.
   */
  public ChangeClientOptions logoUri(String logoUri) {
    return put("logo_uri", logoUri);
  }

  /** How the client uses data about people. The consent page has a link to it. */
  public ChangeClientOptions policyUri(String policyUri) {
    return put("policy_uri", policyUri);
  }

  /** The terms of service of the client. The consent page has a link to them. */
  public ChangeClientOptions tosUri(String tosUri) {
    return put("tos_uri", tosUri);
  }

  /** Email addresses of the people behind the client. */
  public ChangeClientOptions contacts(String... contacts) {
    return put("contacts", List.of(contacts));
  }

  /** The id of the software. */
  public ChangeClientOptions softwareId(String softwareId) {
    return put("software_id", softwareId);
  }

  /** The version of the software. */
  public ChangeClientOptions softwareVersion(String softwareVersion) {
    return put("software_version", softwareVersion);
  }

  /**
   * The algorithm that signs authorization responses as a JWT (JARM). Default: RS256, or else alg
   * of the configuration.
   */
  public ChangeClientOptions authorizationSignedResponseAlg(SigningAlgorithm authorizationSignedResponseAlg) {
    return put("authorization_signed_response_alg", authorizationSignedResponseAlg);
  }

  /**
   * true: the client must use a response mode with a signed response (JARM): jwt, query.jwt.
   * Default: false. (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions requireSignedResponse(boolean requireSignedResponse) {
    return put("require_signed_response", requireSignedResponse);
  }

  /**
   * Authorization responses as a JWT are encrypted to a key of the client. Default: they are only
   * signed.
   */
  public ChangeClientOptions authorizationEncryptedResponseAlg(KeyEncryption authorizationEncryptedResponseAlg) {
    return put("authorization_encrypted_response_alg", authorizationEncryptedResponseAlg);
  }

  /** The algorithm of the content of encrypted authorization responses. Default: A128CBC-HS256. */
  public ChangeClientOptions authorizationEncryptedResponseEnc(ContentEncryption authorizationEncryptedResponseEnc) {
    return put("authorization_encrypted_response_enc", authorizationEncryptedResponseEnc);
  }

  /**
   * How many seconds the client has to redeem a code, if that is less than lifetimes.code. (Not a
   * registered name: only this server reads it.)
   */
  public ChangeClientOptions authorizationCodeLifetime(int authorizationCodeLifetime) {
    return put("authorization_code_lifetime", authorizationCodeLifetime);
  }

  /**
   * true: the client gets tokens only with some proof of possession of a key. Default: false. (Not
   * a registered name: only this server reads it.)
   */
  public ChangeClientOptions requireBoundAccessTokens(boolean requireBoundAccessTokens) {
    return put("require_bound_access_tokens", requireBoundAccessTokens);
  }

  /**
   * encoded refuses an id or secret that is not percent-encoded in the header. By default, encoded
   * and plain ones are accepted. (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions clientSecretBasic(ClientSecretBasic clientSecretBasic) {
    return put("client_secret_basic", clientSecretBasic);
  }

  /**
   * endpoint: the aud of an assertion may also be the URL of the requested endpoint, for older
   * OpenID clients. issuer_string: it must be the issuer as a string, and not a list of one.
   * Default: issuer. (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions clientAssertionAudience(ClientAssertionAudience clientAssertionAudience) {
    return put("client_assertion_audience", clientAssertionAudience);
  }

  /**
   * The only algorithm of the client's assertions, for private_key_jwt and client_secret_jwt.
   * Default: any algorithm that the method supports.
   */
  public ChangeClientOptions tokenEndpointAuthSigningAlg(String tokenEndpointAuthSigningAlg) {
    return put("token_endpoint_auth_signing_alg", tokenEndpointAuthSigningAlg);
  }

  /** true: the client gets tokens only with a DPoP proof (RFC 9449 §5.2). Default: false. */
  public ChangeClientOptions dpopBoundAccessTokens(boolean dpopBoundAccessTokens) {
    return put("dpop_bound_access_tokens", dpopBoundAccessTokens);
  }

  /**
   * true: the client gets tokens only with its certificate, to which they are bound (RFC 8705
   * §3.4). Default: false.
   */
  public ChangeClientOptions tlsClientCertificateBoundAccessTokens(boolean tlsClientCertificateBoundAccessTokens) {
    return put("tls_client_certificate_bound_access_tokens", tlsClientCertificateBoundAccessTokens);
  }

  /**
   * The subject of the client's certificate, for tls_client_auth, as text (RFC 4514):
   * CN=app,O=Example.
   */
  public ChangeClientOptions tlsClientAuthSubjectDn(String tlsClientAuthSubjectDn) {
    return put("tls_client_auth_subject_dn", tlsClientAuthSubjectDn);
  }

  /** The host name in the client's certificate, instead of its subject (RFC 8705 §2.1.2). */
  public ChangeClientOptions tlsClientAuthSanDns(String tlsClientAuthSanDns) {
    return put("tls_client_auth_san_dns", tlsClientAuthSanDns);
  }

  /** The URI in the client's certificate, instead of its subject. */
  public ChangeClientOptions tlsClientAuthSanUri(String tlsClientAuthSanUri) {
    return put("tls_client_auth_san_uri", tlsClientAuthSanUri);
  }

  /** The IP address in the client's certificate, instead of its subject. */
  public ChangeClientOptions tlsClientAuthSanIp(String tlsClientAuthSanIp) {
    return put("tls_client_auth_san_ip", tlsClientAuthSanIp);
  }

  /** The email address in the client's certificate, instead of its subject. */
  public ChangeClientOptions tlsClientAuthSanEmail(String tlsClientAuthSanEmail) {
    return put("tls_client_auth_san_email", tlsClientAuthSanEmail);
  }

  /**
   * The profile of this client, which fills its members and refuses others. Default: the profile of
   * the server. (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions profile(ClientProfile profile) {
    return put("profile", profile);
  }

  /**
   * web: the redirect URIs are https, or http on loopback. native: they are http on loopback, or
   * have the scheme of an app (com.example.app:/callback), and beside those they may be https. Left
   * out: a configured client may mix them.
   */
  public ChangeClientOptions applicationType(ClientApplicationType applicationType) {
    return put("application_type", applicationType);
  }

  /**
   * false: a refresh token stays the same when it is used (FAPI 2.0). Default: rotateRefreshTokens.
   * (Not a registered name: only this server reads it.)
   */
  public ChangeClientOptions rotateRefreshTokens(boolean rotateRefreshTokens) {
    return put("rotate_refresh_tokens", rotateRefreshTokens);
  }

  /**
   * Which tokens the client may exchange, and for what (RFC 8693). Default: none. (Not a registered
   * name: only this server reads it.)
   */
  public ChangeClientOptions tokenExchange(Consumer<ClientTokenExchangeOptions> tokenExchange) {
    return put("token_exchange", ClientTokenExchangeOptions.of(tokenExchange));
  }

  /** The algorithm that signs the client's ID tokens. Default: alg of the configuration. */
  public ChangeClientOptions idTokenSignedResponseAlg(SigningAlgorithm idTokenSignedResponseAlg) {
    return put("id_token_signed_response_alg", idTokenSignedResponseAlg);
  }

  /**
   * ID tokens and logout tokens are encrypted to a key of the client. Default: they are only
   * signed.
   */
  public ChangeClientOptions idTokenEncryptedResponseAlg(KeyEncryption idTokenEncryptedResponseAlg) {
    return put("id_token_encrypted_response_alg", idTokenEncryptedResponseAlg);
  }

  /** The algorithm of the content of encrypted ID tokens. Default: A128CBC-HS256. */
  public ChangeClientOptions idTokenEncryptedResponseEnc(ContentEncryption idTokenEncryptedResponseEnc) {
    return put("id_token_encrypted_response_enc", idTokenEncryptedResponseEnc);
  }

  /**
   * The https address of a JSON array with all redirect_uris. Clients whose addresses have the same
   * host get the same pairwise sub for a person, and their redirect_uris may have different hosts.
   * The server fetches the array.
   */
  public ChangeClientOptions sectorIdentifierUri(String sectorIdentifierUri) {
    return put("sector_identifier_uri", sectorIdentifierUri);
  }

  /**
   * The https address at which the client begins a sign-in when another party sends a browser
   * there.
   */
  public ChangeClientOptions initiateLoginUri(String initiateLoginUri) {
    return put("initiate_login_uri", initiateLoginUri);
  }

  /** Userinfo is a JWT that is signed with this algorithm. Default: userinfo is unsigned JSON. */
  public ChangeClientOptions userinfoSignedResponseAlg(SigningAlgorithm userinfoSignedResponseAlg) {
    return put("userinfo_signed_response_alg", userinfoSignedResponseAlg);
  }

  /**
   * Userinfo is encrypted to a key of the client, after it is signed if it is. Default: it is not
   * encrypted.
   */
  public ChangeClientOptions userinfoEncryptedResponseAlg(KeyEncryption userinfoEncryptedResponseAlg) {
    return put("userinfo_encrypted_response_alg", userinfoEncryptedResponseAlg);
  }

  /** The algorithm of the content of encrypted userinfo. Default: A128CBC-HS256. */
  public ChangeClientOptions userinfoEncryptedResponseEnc(ContentEncryption userinfoEncryptedResponseEnc) {
    return put("userinfo_encrypted_response_enc", userinfoEncryptedResponseEnc);
  }

  /**
   * The client may introspect access tokens with one of these values of aud. (Not a registered
   * name: only this server reads it.)
   */
  public ChangeClientOptions introspects(String... introspects) {
    return put("introspects", List.of(introspects));
  }

  /** The algorithm that signs introspection as a JWT (RFC 9701). Default: alg of the configuration. */
  public ChangeClientOptions introspectionSignedResponseAlg(SigningAlgorithm introspectionSignedResponseAlg) {
    return put("introspection_signed_response_alg", introspectionSignedResponseAlg);
  }

  /**
   * Introspection as a JWT is encrypted to a key of the client (RFC 9701). Default: it is only
   * signed.
   */
  public ChangeClientOptions introspectionEncryptedResponseAlg(KeyEncryption introspectionEncryptedResponseAlg) {
    return put("introspection_encrypted_response_alg", introspectionEncryptedResponseAlg);
  }

  /** The algorithm of the content of encrypted introspection. Default: A128CBC-HS256. */
  public ChangeClientOptions introspectionEncryptedResponseEnc(ContentEncryption introspectionEncryptedResponseEnc) {
    return put("introspection_encrypted_response_enc", introspectionEncryptedResponseEnc);
  }

  /** Where the browser may be sent back to after a sign-out that the client requests. */
  public ChangeClientOptions postLogoutRedirectUris(String... postLogoutRedirectUris) {
    return put("post_logout_redirect_uris", List.of(postLogoutRedirectUris));
  }

  /** The address that the server calls when a person who signed in to the client has signed out. */
  public ChangeClientOptions backchannelLogoutUri(String backchannelLogoutUri) {
    return put("backchannel_logout_uri", backchannelLogoutUri);
  }

  /** Has no effect: every logout token has the claim sid. */
  public ChangeClientOptions backchannelLogoutSessionRequired(boolean backchannelLogoutSessionRequired) {
    return put("backchannel_logout_session_required", backchannelLogoutSessionRequired);
  }

  static Map<String, Object> of(Consumer<ChangeClientOptions> options) {
    ChangeClientOptions chosen = new ChangeClientOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ChangeClientOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
