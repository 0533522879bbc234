// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * The token of a workload, and where the workload gets more.
 *
 * @param token The token that the platform gives to the workload.
 * @param issuer The issuer of the token. It is that of a tenant with the name of the platform.
 * @param jwksUri Where the keys of the issuer are. Its discovery document says so, too.
 * @param request Where the workload gets more tokens: a GET with Authorization: Bearer, and the
 * parameter audience.
 * @param env The environment variables with which a program of the platform gets its tokens. Only
 * GitHub Actions has such variables.
 */
public record WorkloadToken(
    String token,
    String issuer,
    String jwksUri,
    WorkloadTokenRequest request,
    Map<String, String> env) {}
