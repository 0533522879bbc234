/** A client as a configuration writes it, with the members that features read. */

import type { Jwk, SigningAlgorithm } from "../crypto/jwk.ts";
import type { CoreClientMetadata } from "../oauth/clients/client_metadata.ts";

/** A client, with the member names of RFC 7591. */
export interface ClientMetadata extends CoreClientMetadata {
  /** `encoded`: Basic credentials must be form-encoded (RFC 6749 §2.3.1). Left out: the raw pair is accepted as well. */
  readonly client_secret_basic?: "encoded";
  /** The public keys of a client that authenticates with `private_key_jwt`. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  /** `endpoint`: an assertion may also name the endpoint's URL, as older OpenID clients do. Default: `issuer`. */
  readonly client_assertion_audience?: "issuer" | "endpoint";
  readonly id_token_signed_response_alg?: SigningAlgorithm;
  /** Left out: userinfo is plain JSON. */
  readonly userinfo_signed_response_alg?: SigningAlgorithm;
  /** Seconds after which people sign in again. */
  readonly default_max_age?: number;
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string;
  readonly backchannel_logout_session_required?: boolean;
  /** The APIs whose tokens the client may introspect. */
  readonly introspects?: readonly string[];
}
