// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;

/**
 * A raw request in an answer.
 *
 * @param body May be null.
 * @param bodyLength The length in bytes of a body that is not text. The journal does not keep such
 * a body. May be null.
 */
public record RawRequest(
    List<List<String>> headers,
    String body,
    Long bodyLength,
    String method,
    String path,
    String query) {}
