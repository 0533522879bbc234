// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * The trace that the client names in its header traceparent (W3C Trace Context).
 *
 * @param traceId 32 characters. All requests of the trace have it.
 * @param parentId 16 characters: the step of the caller that sent the request.
 * @param isSampled Whether the caller records the trace.
 */
public record Trace(
    String traceId,
    String parentId,
    boolean isSampled) {}
