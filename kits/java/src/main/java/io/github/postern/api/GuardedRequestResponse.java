// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/** The response to send instead, if the request is not accepted. */
public record GuardedRequestResponse(
    int status,
    Map<String, String> headers,
    String body) {}
