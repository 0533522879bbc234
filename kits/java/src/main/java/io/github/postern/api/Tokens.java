// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import io.github.postern.TokenSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A token response with its wire names, and the claims of its ID token. Members that a hook adds
 * are present, too, but not in the kits of languages other than TypeScript.
 *
 * @param accessToken A JWT, or opaque text if the configuration says so.
 * @param tokenType Bearer, or DPoP for tokens that are bound to a key. May be null.
 * @param expiresIn The seconds until the access token expires. May be null.
 * @param scope The scope that was granted. May be null.
 * @param refreshToken Present if the client may refresh. May be null.
 * @param authorizationDetails What was granted in detail (RFC 9396 §7). May be null.
 * @param idToken Present if openid was granted. May be null.
 * @param claims The claims of the ID token, which the test kit adds to the response without
 * verifying the ID token. Absent without an ID token, that is without the scope openid, and if the
 * ID token is encrypted and login got no key for it. May be null.
 * @param more The other members of the response, such as those of a hook.
 */
public record Tokens(
    String accessToken,
    String tokenType,
    Duration expiresIn,
    String scope,
    String refreshToken,
    List<Map<String, Object>> authorizationDetails,
    String idToken,
    Map<String, Object> claims,
    Map<String, Object> more)
    implements TokenSet {}
