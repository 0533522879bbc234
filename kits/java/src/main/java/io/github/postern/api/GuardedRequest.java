// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * A guarded request in an answer.
 *
 * @param accepted Whether the request may reach the API.
 * @param claims The claims of the token, if the request is accepted. May be null.
 * @param response The response to send instead, if the request is not accepted. May be null.
 */
public record GuardedRequest(
    boolean accepted,
    Map<String, Object> claims,
    GuardedRequestResponse response) {}
