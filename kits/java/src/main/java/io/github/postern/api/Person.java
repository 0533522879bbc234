// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * A person in an answer.
 *
 * @param username The name that the person signs in with.
 * @param sub The person's sub in tokens. Default: the username. May be null.
 * @param claims The claims about the person: name, email, roles, and any others. May be null.
 * @param secondFactor A second factor, which a request can ask for: totp is an authenticator app,
 * and code is a code that the server gives, as if it sent it. An object has more: the secret of the
 * app, or that each sign-in needs the factor. Default: none. May be null.
 * @param disabled true: the person cannot sign in, and their sign-ins and tokens have no effect.
 * Default: false.
 */
public record Person(
    String username,
    String sub,
    Map<String, Object> claims,
    SecondFactor secondFactor,
    boolean disabled) {}
