/** The type of a client in the configuration, with the members of all features. */

import type { Jwk } from "../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../ground/crypto/platform.ts";
import type { ContentEncryption, KeyEncryption } from "../../ground/crypto/jwe.ts";
import type { FeatureClientMembers } from "../features/options.ts";
import type { TokenExchangeOptions } from "../features/token_exchange/exchange_options.ts";
import type { CoreClientMetadata } from "../oauth/clients/metadata/client_metadata.ts";

/** The metadata of a client. The members have the names of RFC 7591. */
export interface ClientMetadata extends CoreClientMetadata, FeatureClientMembers {
  /**
   * `encoded` refuses an id or secret that is not percent-encoded in the header. By default, encoded and plain ones
   * are accepted.
   */
  readonly client_secret_basic?: "encoded";
  /**
   * The public keys of the client. `private_key_jwt` and signed requests need them, or `jwks_uri`. The server encrypts
   * with a key whose `use` is `enc`.
   */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  /** The address of the client's public keys, instead of `jwks`. The server fetches it when it needs them. */
  readonly jwks_uri?: string;
  /**
   * `endpoint`: the `aud` of an assertion may also be the URL of the requested endpoint, for older OpenID clients.
   * `issuer_string`: it must be the issuer as a string, and not a list of one. Default: `issuer`.
   */
  readonly client_assertion_audience?: "issuer" | "issuer_string" | "endpoint";
  /** The only algorithms that the client may sign with. Default: `acceptedAlgorithms`. */
  readonly accepted_signing_algs?: readonly SigningAlgorithm[];
  /** How many seconds the client has to redeem a code, if that is less than `lifetimes.code`. */
  readonly authorization_code_lifetime?: number;
  /** `true`: the client gets tokens only with some proof of possession of a key. Default: `false`. */
  readonly require_bound_access_tokens?: boolean;
  /**
   * `bounded`: a request object must have `exp` and `nbf`, `nbf` at most an hour ago and `exp` at most an hour after it,
   * and its `aud` may be a list with the issuer (FAPI 2.0 Message Signing). Default: `usual`.
   */
  readonly request_object_times?: "usual" | "bounded";
  /** `true`: the client gets tokens only with a DPoP proof (RFC 9449 §5.2). Default: `false`. */
  readonly dpop_bound_access_tokens?: boolean;
  /** `true`: the client must push its authorization requests (RFC 9126 §6). Default: `false`. */
  readonly require_pushed_authorization_requests?: boolean;
  /**
   * The only algorithm of the client's assertions, for `private_key_jwt` and `client_secret_jwt`. Default: any algorithm
   * that the method supports.
   */
  readonly token_endpoint_auth_signing_alg?: SigningAlgorithm | "HS256";
  /** `true`: the client must sign its authorization requests (RFC 9101 §10.5). Default: `false`. */
  readonly require_signed_request_object?: boolean;
  /** `true`: the client must use a response mode with a signed response (JARM): `jwt`, `query.jwt`. Default: `false`. */
  readonly require_signed_response?: boolean;
  /** The only algorithm that may sign the client's request objects. Default: any that its keys fit. */
  readonly request_object_signing_alg?: SigningAlgorithm;
  /** The algorithm that signs the client's ID tokens. Default: `alg` of the configuration. */
  readonly id_token_signed_response_alg?: SigningAlgorithm;
  /** The algorithm that signs authorization responses as a JWT (JARM). Default: `RS256`, or else `alg` of the configuration. */
  readonly authorization_signed_response_alg?: SigningAlgorithm;
  /** Authorization responses as a JWT are encrypted to a key of the client. Default: they are only signed. */
  readonly authorization_encrypted_response_alg?: KeyEncryption;
  /** The algorithm of the content of encrypted authorization responses. Default: `A128CBC-HS256`. */
  readonly authorization_encrypted_response_enc?: ContentEncryption;
  /** ID tokens and logout tokens are encrypted to a key of the client. Default: they are only signed. */
  readonly id_token_encrypted_response_alg?: KeyEncryption;
  /** The algorithm of the content of encrypted ID tokens. Default: `A128CBC-HS256`. */
  readonly id_token_encrypted_response_enc?: ContentEncryption;
  /**
   * The https address of a JSON array with all `redirect_uris`. Clients whose addresses have the same host get the same
   * pairwise `sub` for a person, and their `redirect_uris` may have different hosts. The server fetches the array.
   */
  readonly sector_identifier_uri?: string;
  /** The https address at which the client begins a sign-in when another party sends a browser there. */
  readonly initiate_login_uri?: string;
  /** Userinfo is a JWT that is signed with this algorithm. Default: userinfo is unsigned JSON. */
  readonly userinfo_signed_response_alg?: SigningAlgorithm;
  /** Userinfo is encrypted to a key of the client, after it is signed if it is. Default: it is not encrypted. */
  readonly userinfo_encrypted_response_alg?: KeyEncryption;
  /** The algorithm of the content of encrypted userinfo. Default: `A128CBC-HS256`. */
  readonly userinfo_encrypted_response_enc?: ContentEncryption;
  /** The algorithm that signs introspection as a JWT (RFC 9701). Default: `alg` of the configuration. */
  readonly introspection_signed_response_alg?: SigningAlgorithm;
  /** Introspection as a JWT is encrypted to a key of the client (RFC 9701). Default: it is only signed. */
  readonly introspection_encrypted_response_alg?: KeyEncryption;
  /** The algorithm of the content of encrypted introspection. Default: `A128CBC-HS256`. */
  readonly introspection_encrypted_response_enc?: ContentEncryption;
  /**
   * `web`: the redirect URIs are https, or http on loopback. `native`: they are http on loopback, or have the scheme of an
   * app (`com.example.app:/callback`), and beside those they may be https. Left out: a configured client may mix them.
   */
  readonly application_type?: "web" | "native";
  /** The web site of the client. */
  readonly client_uri?: string;
  /** The logo of the client. Pages show no logo, because a foreign image would tell its host who opens a page. */
  readonly logo_uri?: string;
  /** How the client uses data about people. The consent page has a link to it. */
  readonly policy_uri?: string;
  /** The terms of service of the client. The consent page has a link to them. */
  readonly tos_uri?: string;
  /** Email addresses of the people behind the client. */
  readonly contacts?: readonly string[];
  /** The id of the software. */
  readonly software_id?: string;
  /** The version of the software. */
  readonly software_version?: string;
  /** Seconds since the last sign-in after which a person must sign in again, if a request has no `max_age`. */
  readonly default_max_age?: number;
  /** Where the browser may be sent back to after a sign-out that the client requests. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** The address that the server calls when a person who signed in to the client has signed out. */
  readonly backchannel_logout_uri?: string;
  /** Has no effect: every logout token has the claim `sid`. */
  readonly backchannel_logout_session_required?: boolean;
  /** The client may introspect access tokens with one of these values of `aud`. */
  readonly introspects?: readonly string[];
  /**
   * The types of `authorization_details` that the client may request (RFC 9396 §10). Default: every type from a person,
   * and none with `client_credentials`.
   */
  readonly authorization_details_types?: readonly string[];
  /** Which tokens the client may exchange, and for what (RFC 8693). Default: none. */
  readonly token_exchange?: TokenExchangeOptions;
}
