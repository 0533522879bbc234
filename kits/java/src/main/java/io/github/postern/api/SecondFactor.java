// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A second factor in an answer.
 *
 * @param kind totp: an authenticator app makes the codes. code: the server gives them.
 * @param secret The secret of the authenticator app in base32, of at least 16 octets. Default: the
 * server derives one. May be null.
 * @param always true: each sign-in of this person needs the factor. Default: if the request, the
 * client or the server asks for it. May be null.
 */
public record SecondFactor(
    SecondFactorKind kind,
    String secret,
    Boolean always) {}
