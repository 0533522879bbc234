// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A server in an answer.
 *
 * @param issuer The issuer of this server or tenant.
 * @param openapi The path of the OpenAPI document. May be null.
 */
public record Server(
    String issuer,
    String openapi) {}
