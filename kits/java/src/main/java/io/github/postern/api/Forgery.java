// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A forgery in an answer.
 *
 * @param name The fault of the token.
 * @param verdict The response that a resource server must give to a faulty token.
 */
public record Forgery(
    ForgeryName name,
    Verdict verdict) {}
