// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.List;

/**
 * What requests need, in addition to the other rules that match them. A rule without conditions is
 * for every request.
 *
 * @param path The path of the request: /orders is for /orders and all paths below. May be null.
 * @param method The method of the request: POST. May be null.
 * @param rpc The JSON-RPC method in the body: tools/call. May be null.
 * @param tool The name of the tool that an MCP client calls. May be null.
 * @param scope The scopes that the token must have. May be null.
 * @param acr The values of the claim acr, of which the token must have one (RFC 9470). May be null.
 * @param maxAge How long ago the person may have signed in (RFC 9470). May be null.
 * @param refuse Refuses every token with insufficient_scope, even a token that has the scope.
 */
public record ResourceRule(
    String path,
    String method,
    String rpc,
    String tool,
    List<String> scope,
    List<String> acr,
    Duration maxAge,
    boolean refuse) {}
