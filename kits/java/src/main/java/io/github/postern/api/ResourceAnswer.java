// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * The answer to a request that the API accepts. Default: the claims of the token, as JSON.
 *
 * @param status The status. Default: 200. May be null.
 * @param headers The headers. Default of content-type: application/json. May be null.
 * @param body Text, or an object or a list, which is sent as JSON. Default: the claims of the
 * token. May be null.
 */
public record ResourceAnswer(
    Integer status,
    Map<String, String> headers,
    Object body) {}
