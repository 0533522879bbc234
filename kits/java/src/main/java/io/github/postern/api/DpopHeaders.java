// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * The headers of a request with a bound token.
 *
 * @param authorization The scheme DPoP and the access token.
 * @param dpop The proof, which is good for one request.
 */
public record DpopHeaders(
    String authorization,
    String dpop) {}
