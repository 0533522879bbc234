// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * Where the workload gets more tokens: a GET with Authorization: Bearer, and the parameter
 * audience.
 */
public record WorkloadTokenRequest(
    String url,
    String bearer) {}
