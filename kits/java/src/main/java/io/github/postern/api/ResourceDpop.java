// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces.
 *
 * @param required Whether it refuses bearer tokens. Default: false.
 * @param nonces Its own nonces, which the authorization server does not accept. Default: off. May
 * be null.
 */
public record ResourceDpop(
    boolean required,
    ResourceDpopNonces nonces) {}
