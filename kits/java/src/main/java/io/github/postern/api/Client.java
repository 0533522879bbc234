// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;
import java.util.List;

/**
 * A client in an answer.
 *
 * @param clientId The name of the client in its requests.
 * @param clientName The name that people see when they are asked for consent. May be null.
 * @param redirectUris Where the browser may be sent back to: https, http on this machine, or the
 * private scheme of an app (com.example.app:/callback). A configured client may also have the
 * scheme of a program that is no reversed domain name, unless a browser or an operating system
 * handles it (cursor://anysphere.cursor-mcp/oauth/callback). A request must name one of them
 * exactly. Only the port of a loopback address may differ. May be null.
 * @param allowPrivateHttp true: the redirect URIs, jwks_uri and backchannel_logout_uri may be http
 * at private addresses (http://192.168.1.5/cb) and local names (http://app:3000/cb). Use it in a
 * test network only, because others in the network can read the codes. Public hosts need https in
 * any case (RFC 9700 §2.6). (Not a registered name: only this server reads it.)
 * @param tokenEndpointAuthMethod How the client authenticates. Default: none without a secret,
 * client_secret_basic with one. May be null.
 * @param grantTypes The grant types that the client may use. Default: authorization_code,
 * refresh_token, and for a client with a secret or a key client_credentials. May be null.
 * @param responseTypes ["code"], or [] for a client that never sends people to sign in. Default:
 * ["code"] for a client that may use authorization_code. May be null.
 * @param scope The scopes that the client may request, separated by spaces. Default: every scope.
 * May be null.
 * @param requirePkce false: a request with openid in its scope may omit PKCE if it sends a nonce.
 * Default: true. (Not a registered name: only this server reads it.) May be null.
 * @param rememberConsent true: a person who has agreed is not asked again. false: a person is asked
 * each time. Default: true with an https redirect URI, and on loopback for a client with a secret
 * or a key. (Not a registered name: only this server reads it.) May be null.
 * @param subjectType pairwise: clients on different hosts get different values of sub for the same
 * person. Default: public. May be null.
 * @param oauthVersion Left out: the authorization request and the token request need redirect_uri.
 * 2.1: the token request may leave redirect_uri out, and so may the authorization request if the
 * client has only one redirect URI and the scope lacks openid. 2.0: with require_pkce false, a
 * request with openid in its scope needs no nonce. (Not a registered name: only this server reads
 * it.) May be null.
 * @param requirePushedAuthorizationRequests true: the client must push its authorization requests
 * (RFC 9126 §6). Default: false.
 * @param jwks The public keys of the client. private_key_jwt and signed requests need them, or
 * jwks_uri. The server encrypts with a key whose use is enc. May be null.
 * @param jwksUri The address of the client's public keys, instead of jwks. The server fetches it
 * when it needs them. May be null.
 * @param requestObjectSigningAlg The only algorithm that may sign the client's request objects.
 * Default: any that its keys fit. May be null.
 * @param requestObjectTimes bounded: a request object must have exp and nbf, nbf at most an hour
 * ago and exp at most an hour after it, and its aud may be a list with the issuer (FAPI 2.0 Message
 * Signing). Default: usual. (Not a registered name: only this server reads it.) May be null.
 * @param requireSignedRequestObject true: the client must sign its authorization requests (RFC 9101
 * §10.5). Default: false.
 * @param acceptedSigningAlgs The only algorithms that the client may sign with. Default:
 * acceptedAlgorithms. (Not a registered name: only this server reads it.) May be null.
 * @param defaultMaxAge Seconds since the last sign-in after which a person must sign in again, if a
 * request has no max_age. May be null.
 * @param authorizationDetailsTypes The types of authorization_details that the client may request
 * (RFC 9396 §10). Default: every type from a person, and none with client_credentials. May be null.
 * @param requireSecondFactor true: each sign-in at this client needs the second factor. Default: if
 * its request asks for it. (Not a registered name: only this server reads it.) May be null.
 * @param clientUri The web site of the client. May be null.
 * @param logoUri The logo of the client. Pages show no logo, because a foreign image would tell its
 * host who opens a page. May be null.
 * @param policyUri How the client uses data about people. The consent page has a link to it. May be
 * null.
 * @param tosUri The terms of service of the client. The consent page has a link to them. May be
 * null.
 * @param contacts Email addresses of the people behind the client. May be null.
 * @param softwareId The id of the software. May be null.
 * @param softwareVersion The version of the software. May be null.
 * @param authorizationSignedResponseAlg The algorithm that signs authorization responses as a JWT
 * (JARM). Default: RS256, or else alg of the configuration. May be null.
 * @param requireSignedResponse true: the client must use a response mode with a signed response
 * (JARM): jwt, query.jwt. Default: false. (Not a registered name: only this server reads it.)
 * @param authorizationEncryptedResponseAlg Authorization responses as a JWT are encrypted to a key
 * of the client. Default: they are only signed. May be null.
 * @param authorizationEncryptedResponseEnc The algorithm of the content of encrypted authorization
 * responses. Default: A128CBC-HS256. May be null.
 * @param authorizationCodeLifetime How many seconds the client has to redeem a code, if that is
 * less than lifetimes.code. (Not a registered name: only this server reads it.) May be null.
 * @param requireBoundAccessTokens true: the client gets tokens only with some proof of possession
 * of a key. Default: false. (Not a registered name: only this server reads it.)
 * @param clientSecretBasic encoded refuses an id or secret that is not percent-encoded in the
 * header. By default, encoded and plain ones are accepted. (Not a registered name: only this server
 * reads it.) May be null.
 * @param clientAssertionAudience endpoint: the aud of an assertion may also be the URL of the
 * requested endpoint, for older OpenID clients. issuer_string: it must be the issuer as a string,
 * and not a list of one. Default: issuer. (Not a registered name: only this server reads it.) May
 * be null.
 * @param tokenEndpointAuthSigningAlg The only algorithm of the client's assertions, for
 * private_key_jwt and client_secret_jwt. Default: any algorithm that the method supports. May be
 * null.
 * @param dpopBoundAccessTokens true: the client gets tokens only with a DPoP proof (RFC 9449 §5.2).
 * Default: false.
 * @param tlsClientCertificateBoundAccessTokens true: the client gets tokens only with its
 * certificate, to which they are bound (RFC 8705 §3.4). Default: false.
 * @param tlsClientAuthSubjectDn The subject of the client's certificate, for tls_client_auth, as
 * text (RFC 4514): CN=app,O=Example. May be null.
 * @param tlsClientAuthSanDns The host name in the client's certificate, instead of its subject (RFC
 * 8705 §2.1.2). May be null.
 * @param tlsClientAuthSanUri The URI in the client's certificate, instead of its subject. May be
 * null.
 * @param tlsClientAuthSanIp The IP address in the client's certificate, instead of its subject. May
 * be null.
 * @param tlsClientAuthSanEmail The email address in the client's certificate, instead of its
 * subject. May be null.
 * @param profile The profile of this client, which fills its members and refuses others. Default:
 * the profile of the server. (Not a registered name: only this server reads it.) May be null.
 * @param applicationType web: the redirect URIs are https, or http on loopback. native: they are
 * http on loopback, or have the scheme of an app (com.example.app:/callback), and beside those they
 * may be https. Left out: a configured client may mix them. May be null.
 * @param rotateRefreshTokens false: a refresh token stays the same when it is used (FAPI 2.0).
 * Default: rotateRefreshTokens. (Not a registered name: only this server reads it.) May be null.
 * @param tokenExchange Which tokens the client may exchange, and for what (RFC 8693). Default:
 * none. (Not a registered name: only this server reads it.) May be null.
 * @param idTokenSignedResponseAlg The algorithm that signs the client's ID tokens. Default: alg of
 * the configuration. May be null.
 * @param idTokenEncryptedResponseAlg ID tokens and logout tokens are encrypted to a key of the
 * client. Default: they are only signed. May be null.
 * @param idTokenEncryptedResponseEnc The algorithm of the content of encrypted ID tokens. Default:
 * A128CBC-HS256. May be null.
 * @param sectorIdentifierUri The https address of a JSON array with all redirect_uris. Clients
 * whose addresses have the same host get the same pairwise sub for a person, and their
 * redirect_uris may have different hosts. The server fetches the array. May be null.
 * @param initiateLoginUri The https address at which the client begins a sign-in when another party
 * sends a browser there. May be null.
 * @param userinfoSignedResponseAlg Userinfo is a JWT that is signed with this algorithm. Default:
 * userinfo is unsigned JSON. May be null.
 * @param userinfoEncryptedResponseAlg Userinfo is encrypted to a key of the client, after it is
 * signed if it is. Default: it is not encrypted. May be null.
 * @param userinfoEncryptedResponseEnc The algorithm of the content of encrypted userinfo. Default:
 * A128CBC-HS256. May be null.
 * @param introspects The client may introspect access tokens with one of these values of aud. (Not
 * a registered name: only this server reads it.) May be null.
 * @param introspectionSignedResponseAlg The algorithm that signs introspection as a JWT (RFC 9701).
 * Default: alg of the configuration. May be null.
 * @param introspectionEncryptedResponseAlg Introspection as a JWT is encrypted to a key of the
 * client (RFC 9701). Default: it is only signed. May be null.
 * @param introspectionEncryptedResponseEnc The algorithm of the content of encrypted introspection.
 * Default: A128CBC-HS256. May be null.
 * @param postLogoutRedirectUris Where the browser may be sent back to after a sign-out that the
 * client requests. May be null.
 * @param backchannelLogoutUri The address that the server calls when a person who signed in to the
 * client has signed out. May be null.
 * @param backchannelLogoutSessionRequired Has no effect: every logout token has the claim sid.
 */
public record Client(
    String clientId,
    String clientName,
    List<String> redirectUris,
    boolean allowPrivateHttp,
    String tokenEndpointAuthMethod,
    List<String> grantTypes,
    List<String> responseTypes,
    String scope,
    Boolean requirePkce,
    Boolean rememberConsent,
    ClientSubjectType subjectType,
    ClientOauthVersion oauthVersion,
    boolean requirePushedAuthorizationRequests,
    ClientJwks jwks,
    String jwksUri,
    SigningAlgorithm requestObjectSigningAlg,
    ClientRequestObjectTimes requestObjectTimes,
    boolean requireSignedRequestObject,
    List<SigningAlgorithm> acceptedSigningAlgs,
    Integer defaultMaxAge,
    List<String> authorizationDetailsTypes,
    Boolean requireSecondFactor,
    String clientUri,
    String logoUri,
    String policyUri,
    String tosUri,
    List<String> contacts,
    String softwareId,
    String softwareVersion,
    SigningAlgorithm authorizationSignedResponseAlg,
    boolean requireSignedResponse,
    KeyEncryption authorizationEncryptedResponseAlg,
    ContentEncryption authorizationEncryptedResponseEnc,
    Integer authorizationCodeLifetime,
    boolean requireBoundAccessTokens,
    ClientSecretBasic clientSecretBasic,
    ClientAssertionAudience clientAssertionAudience,
    String tokenEndpointAuthSigningAlg,
    boolean dpopBoundAccessTokens,
    boolean tlsClientCertificateBoundAccessTokens,
    String tlsClientAuthSubjectDn,
    String tlsClientAuthSanDns,
    String tlsClientAuthSanUri,
    String tlsClientAuthSanIp,
    String tlsClientAuthSanEmail,
    ClientProfile profile,
    ClientApplicationType applicationType,
    Boolean rotateRefreshTokens,
    ClientTokenExchange tokenExchange,
    SigningAlgorithm idTokenSignedResponseAlg,
    KeyEncryption idTokenEncryptedResponseAlg,
    ContentEncryption idTokenEncryptedResponseEnc,
    String sectorIdentifierUri,
    String initiateLoginUri,
    SigningAlgorithm userinfoSignedResponseAlg,
    KeyEncryption userinfoEncryptedResponseAlg,
    ContentEncryption userinfoEncryptedResponseEnc,
    List<String> introspects,
    SigningAlgorithm introspectionSignedResponseAlg,
    KeyEncryption introspectionEncryptedResponseAlg,
    ContentEncryption introspectionEncryptedResponseEnc,
    List<String> postLogoutRedirectUris,
    String backchannelLogoutUri,
    boolean backchannelLogoutSessionRequired) {}
