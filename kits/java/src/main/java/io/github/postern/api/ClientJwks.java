// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;
import java.util.Map;

/**
 * The public keys of the client. private_key_jwt and signed requests need them, or jwks_uri. The
 * server encrypts with a key whose use is enc.
 */
public record ClientJwks(
    List<Map<String, Object>> keys) {}
