// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;

/**
 * What Postern answers about raw request.
 *
 * @param headers headers
 * @param body body May be null.
 * @param bodyLength The length in bytes of a body that is not text. The journal does not keep such
 * a body. May be null.
 * @param method method
 * @param path path
 * @param query query
 */
public record RawRequest(
    List<List<String>> headers,
    String body,
    Object bodyLength,
    String method,
    String path,
    String query) {}
