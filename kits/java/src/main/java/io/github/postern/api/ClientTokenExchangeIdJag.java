// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A client token exchange id jag in an answer.
 *
 * @param audience The issuer of that server. (Not a registered name: only this server reads it.)
 * @param clientId The id that the client has at that server.
 * @param scope The scopes that the client may request there, separated by spaces. Default: every
 * scope. May be null.
 */
public record ClientTokenExchangeIdJag(
    String audience,
    String clientId,
    String scope) {}
