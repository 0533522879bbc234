// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A forged token in an answer.
 *
 * @param name The fault of the token.
 * @param token The token to send to the API.
 * @param verdict The response that a resource server must give to a faulty token.
 */
public record ForgedToken(
    ForgeryName name,
    String token,
    Verdict verdict) {}
