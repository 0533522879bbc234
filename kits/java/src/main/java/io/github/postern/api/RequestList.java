// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;

/**
 * A request list in an answer.
 *
 * @param requests The matching requests, the oldest first.
 * @param dropped How many old requests were removed. At most 10,000 requests and 32 MB are kept.
 */
public record RequestList(
    List<RecordedRequest> requests,
    int dropped) {}
