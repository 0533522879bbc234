// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;

/**
 * A gate in an answer.
 *
 * @param id The name of the gate in the paths of other calls, for example gate-1.
 * @param endpoint The endpoint. page: the pages, their files, preflights, and paths that the server
 * does not know.
 * @param kind hold: requests wait for a release. delay: requests wait for a time. fail: requests
 * get an error before the server handles them. drop: the server handles the requests, and the
 * responses are lost.
 * @param count How many requests fail. Later requests pass. Default: all requests. May be null.
 * @param by How long a delay is. May be null.
 * @param status The status: 429, or from 500 to 599. Default: 503. Only for the kind fail. May be
 * null.
 * @param retryAfter The header Retry-After, which some clients obey in real time, rounded up to
 * seconds. Default: no header. Only for the kind fail. May be null.
 * @param waiting How many requests are waiting now. Only for the kind hold. May be null.
 */
public record Gate(
    String id,
    EndpointName endpoint,
    GateKind kind,
    Integer count,
    Duration by,
    Integer status,
    Duration retryAfter,
    Integer waiting) {}
