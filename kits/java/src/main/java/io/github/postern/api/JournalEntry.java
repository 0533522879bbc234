// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The request and the response with their secrets. Only if raw is true.
 *
 * @param duration Seconds from the request to the answer.
 * @param trace The trace that the client names in its header traceparent (W3C Trace Context). May
 * be null.
 * @param facts The facts that the server recorded about the request.
 */
public record JournalEntry(
    String id,
    Instant receivedAt,
    Duration duration,
    Trace trace,
    RawRequest request,
    RawResponse response,
    Map<String, Object> facts) {}
