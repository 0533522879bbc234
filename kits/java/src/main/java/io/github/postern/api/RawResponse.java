// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;

/**
 * A raw response in an answer.
 *
 * @param body May be null.
 * @param bodyLength The length in bytes of a body that is not text. The journal does not keep such
 * a body. May be null.
 * @param status The status of the answer.
 */
public record RawResponse(
    List<List<String>> headers,
    String body,
    Long bodyLength,
    int status) {}
