// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A look alike in an answer.
 *
 * @param id Its name in the paths of other calls, for example look_alike-1.
 * @param name The provider.
 * @param client The id of the client to which the server looks like the provider. Default: every
 * client. May be null.
 * @param host The host of the tenant, if each tenant of the provider has its own:
 * "shop.eu.auth0.com". Default: an invented one. May be null.
 * @param count How many answers were as the provider sends them.
 */
public record LookAlike(
    String id,
    LookAlikeName name,
    String client,
    String host,
    int count) {}
