/** The type of a client in the configuration, with the members of all features. */

import type { Jwk, SigningAlgorithm } from "../crypto/jwk.ts";
import type { CoreClientMetadata } from "../oauth/clients/client_metadata.ts";

/** The metadata of a client. The members have the names of RFC 7591. */
export interface ClientMetadata extends CoreClientMetadata {
  /**
   * `encoded` refuses an id or secret that is not percent-encoded in the header (RFC 6749 §2.3.1). Left out:
   * encoded and plain ones are accepted.
   */
  readonly client_secret_basic?: "encoded";
  /** The public keys of the client. `private_key_jwt` and signed requests need them, or `jwks_uri`. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  /** The address of the client's public keys, instead of `jwks`. The server fetches it when it needs them. */
  readonly jwks_uri?: string;
  /**
   * The accepted `aud` of client assertions. `issuer`: the issuer only. `endpoint`: also the URL of the endpoint, which
   * older OpenID clients send. Default: `issuer`.
   */
  readonly client_assertion_audience?: "issuer" | "endpoint";
  /** Whether the client gets access tokens only with a DPoP proof (RFC 9449 §5.2). Default: `false`. */
  readonly dpop_bound_access_tokens?: boolean;
  /** `true`: the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean;
  /** The only algorithm of client assertions: `HS256` for `client_secret_jwt`. Default: any that the method supports. */
  readonly token_endpoint_auth_signing_alg?: SigningAlgorithm | "HS256";
  /** `true`: the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean;
  /** The only algorithm that may sign the client's request objects. Default: any that its keys fit. */
  readonly request_object_signing_alg?: SigningAlgorithm;
  readonly id_token_signed_response_alg?: SigningAlgorithm;
  /**
   * The https address of a JSON array with all redirect URIs. Clients whose addresses have the same host get the same
   * pairwise `sub` for a person, and their redirect URIs may have different hosts.
   */
  readonly sector_identifier_uri?: string;
  /** The https address at which the client begins a sign-in when another party sends a browser there. */
  readonly initiate_login_uri?: string;
  /** The algorithm that signs userinfo responses. Left out: userinfo responses are plain JSON. */
  readonly userinfo_signed_response_alg?: SigningAlgorithm;
  /** The algorithm that signs introspection as a JWT (RFC 9701). Default: `alg` of the configuration. */
  readonly introspection_signed_response_alg?: SigningAlgorithm;
  /** The kind of application, which decides about its redirect URIs. Left out: any redirect URIs. */
  readonly application_type?: "web" | "native";
  readonly client_uri?: string;
  readonly logo_uri?: string;
  /** How the client uses data about people. The consent page has a link to it. */
  readonly policy_uri?: string;
  /** The terms of service. The consent page has a link to them. */
  readonly tos_uri?: string;
  readonly contacts?: readonly string[];
  readonly software_id?: string;
  readonly software_version?: string;
  /** Seconds since the last sign-in after which a person must sign in again, if a request has no `max_age`. */
  readonly default_max_age?: number;
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string;
  readonly backchannel_logout_session_required?: boolean;
  /** The client may introspect access tokens with one of these values of `aud`. */
  readonly introspects?: readonly string[];
}
